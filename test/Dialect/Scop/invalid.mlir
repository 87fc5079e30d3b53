// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a vector has at least one element}}
func.func private @d() attributes { d = #scop.dim<linear band 0 vector 0> }

// -----

// expected-error @+1 {{statements to vectorise need a vector width}}
func.func private @d() attributes { d = #scop.dim<linear band 0 of [@X]> }

// -----

// expected-error @+1 {{masks need a vector width}}
func.func private @d() attributes { d = #scop.dim<linear band 0 masked> }

// -----

// expected-error @+1 {{expected one of [block, thread_x, thread_y] for what runs the iterations of a loop, got: warp}}
func.func private @d() attributes { d = #scop.dim<linear band 0 map warp> }

// -----

// expected-error @+1 {{a dimension is coincident or a parallel reduction, not both}}
func.func private @d() attributes { d = #scop.dim<linear band 0 coincident reduction> }

// -----

// expected-error @+1 {{a sequence has no coincidence, vector width or mapping}}
func.func private @d() attributes { d = #scop.dim<sequence band 0 coincident> }

// -----

// expected-error @+1 {{expected one of [linear, sequence] for what a dimension of a schedule is, got: loop}}
func.func private @d() attributes { d = #scop.dim<loop band 0> }

// -----

// expected-error @+1 {{expected 'band'}}
func.func private @d() attributes { d = #scop.dim<linear 0> }

// -----

// expected-error @+1 {{expected integer value}}
func.func private @d() attributes { d = #scop.dim<linear band> }

// -----

// expected-error @+1 {{expected a number from 0 to 2147483647}}
func.func private @d() attributes { d = #scop.dim<linear band -1> }

// -----

// expected-error @+1 {{expected '>'}}
func.func private @d() attributes { d = #scop.dim<linear band 0 fast> }

// -----

// expected-error @+1 {{expected a number from 0 to 2147483647}}
func.func private @d() attributes { d = #scop.dim<linear band 0 coincident vector -4> }

// -----

// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
func.func private @d() attributes { d = #scop.dim<linear band 0 coincident vector 4 of [5]> }

// -----

// expected-error @+1 {{constant too large for index}}
func.func private @s() attributes { s = #scop.schedule<[linear band 0], @X = (d0) -> (9223372036854775808)> }

// -----

// expected-error @+1 {{expected '='}}
func.func private @s() attributes { s = #scop.schedule<[linear band 0], @X (d0) -> (d0)> }

// -----

// expected-error @+1 {{has two maps for @X}}
func.func private @s() attributes { s = #scop.schedule<[sequence band 0], @X = () -> (0), @X = () -> (1)> }

// -----

// expected-error @+1 {{the map of @X must have 2 results, one for each dimension, and no symbols}}
func.func private @s() attributes { s = #scop.schedule<[sequence band 0, linear band 1], @X = (d0) -> (d0)> }

// -----

// expected-error @+1 {{result 0 of the map of @X is not linear}}
func.func private @s() attributes { s = #scop.schedule<[linear band 0], @X = (d0) -> (d0 floordiv 4)> }

// -----

// expected-error @+1 {{result 1 of the map of @X must be constant, as dimension 1 is a sequence}}
func.func private @s() attributes { s = #scop.schedule<[linear band 0, sequence band 1], @X = (d0) -> (d0, d0)> }

// -----

// expected-error @+1 {{the coefficient of @X needs a factor other than 0}}
func.func private @t() attributes { t = #scop.term<0 * @X[1]> }

// -----

// expected-error @+1 {{expected a term}}
func.func private @t() attributes { t = #scop.term<7> }

// -----

// expected-error @+1 {{a constraint needs a coefficient}}
func.func private @c() attributes { c = #scop.constraint<1 ge 0> }

// -----

// expected-error @+1 {{expected constants that fit 64 bits}}
func.func private @c() attributes { c = #scop.constraint<@X[0] + 9223372036854775807 + 1 ge 0> }

// -----

func.func @mixed(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs}}
  scop.kernel ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4xf32>, %Y: memref<4xf32>):
  }
  return
}

// -----

func.func @results(%y: tensor<4xf32>) {
  // expected-error @+1 {{must have results of the types of its outputs, ('tensor<4xf32>')}}
  scop.kernel outs(%y : tensor<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
  }
  return
}

// -----

func.func @memref_result(%y: memref<4xf32>) {
  // expected-error @+1 {{has results, but its outputs are memrefs}}
  %0 = scop.kernel outs(%y : memref<4xf32>) -> tensor<4xf32> {
  ^bb0(%Y: memref<4xf32>):
  }
  return
}

// -----

func.func @alias(%y: memref<4xf32>) {
  // expected-error @+1 {{output 0 is operand 0, too; an output shares its memory with no other operand}}
  scop.kernel ins(%y : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4xf32>, %Y: memref<4xf32>):
  }
  return
}

// -----

func.func @arguments(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 operands, but its body takes 0 arguments}}
  %0 = scop.kernel outs(%y : tensor<4xf32>) -> tensor<4xf32> {
    %t = scop.local : memref<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @argument_type(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{argument 0 must be 'memref<4xf32>' for an operand of type 'tensor<4xf32>', but is 'memref<5xf32>'}}
  %0 = scop.kernel outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%Y: memref<5xf32>):
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @overflow(%y: tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  // expected-error @+1 {{operand 0 of type 'tensor<4294967296x4294967296xf32>' has more than 2^63 bytes}}
  %0 = scop.kernel outs(%y : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  ^bb0(%Y: memref<4294967296x4294967296xf32>):
  }
  return %0 : tensor<4294967296x4294967296xf32>
}

// -----

func.func @body(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{is not allowed in a kernel, which holds scop.local, scop.stmt and scop.tree only}}
    %0 = arith.constant 0 : index
  }
  return
}

// -----

func.func @trees(%y: memref<4xf32>) {
  // expected-error @+1 {{has more than one constraint tree}}
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.tree {}
    scop.tree {}
  }
  return
}

// -----

func.func @schedule_unknown(%y: memref<4xf32>) {
  // expected-error @+1 {{schedule has a map for @X, which is not a statement of the kernel}}
  scop.kernel outs(%y : memref<4xf32>) schedule <[linear band 0], @X = (d0) -> (d0)> {
  ^bb0(%Y: memref<4xf32>):
  }
  return
}

// -----

func.func @schedule_missing(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) schedule <[linear band 0]> {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{has no map in the schedule of its kernel}}
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @schedule_rank(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) schedule <[linear band 0], @X = (d0, d1) -> (d0)> {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{has 1 iterators, but its map in the schedule takes 2}}
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @name(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{needs a name of letters, digits and '_' that does not start with a digit, got "0 x"}}
    scop.stmt @"0 x" domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @extent(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{needs extents of at least 1, got 0}}
    scop.stmt @X domain [0] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @instances(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{has more than 2^63 instances}}
    scop.stmt @X domain [4294967296, 4294967296] writes(%Y[(d0, d1) -> (0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @map_rank(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{map of write 0 must take 1 iterators to 1 indices}}
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0, d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @write_input(%x: memref<4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{write 0 goes to input 0 of the kernel}}
    scop.stmt @X domain [4] writes(%X[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @write_twice(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{write 0 goes to the same array as a later one}}
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>, %Y[(d0) -> (-d0 + 3)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0, %0 : f32, f32
    }
  }
  return
}

// -----

func.func @region_arguments(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    // expected-error @+1 {{region must take ('f32'), the elements read, but takes ()}}
    scop.stmt @X domain [4] reads(%Y[(d0) -> (d0)] : memref<4xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @yield_type(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f16
      // expected-error @+1 {{must yield ('f32'), the elements written, but yields ('f16')}}
      scop.yield %0 : f16
    }
  }
  return
}

// -----

func.func @effects(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      // expected-error @+1 {{is not allowed in a statement, which holds ops without effects only}}
      %m = memref.alloc() : memref<f32>
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @array_in_region(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %i = scop.index 0 : index
      // expected-error @+1 {{uses an array; what a statement accesses is in its reads and writes}}
      %d = memref.dim %Y, %i : memref<4xf32>
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @gather_of_output(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %i = scop.index 0 : index
      // expected-error @+1 {{gathers from an array that is no input of the kernel}}
      %0 = scop.gather %Y[%i] : memref<4xf32>
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @gather_of_local(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    %t = scop.local : memref<4xf32>
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %i = scop.index 0 : index
      // expected-error @+1 {{gathers from an array that is no input of the kernel}}
      %0 = scop.gather %t[%i] : memref<4xf32>
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @gather_rank(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %i = scop.index 0 : index
      // expected-error @+1 {{has 1 indices, but 'memref<4x4xf32>' takes 2}}
      %0 = scop.gather %X[%i] : memref<4x4xf32>
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @gather_outside(%x: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{must be in a scop.stmt}}
  %0 = scop.gather %x[%i] : memref<4xf32>
  return %0 : f32
}

// -----

func.func @index(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      // expected-error @+1 {{iterator 1 does not exist; the statement has 1}}
      %i = scop.index 1 : index
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @reduction_range(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{reductions must be iterators from 0 to 1, ascending}}
    scop.stmt @S domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>) writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [2] {
    ^bb0(%e: f32, %a: f32):
      %0 = arith.addf %e, %a : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @reduction_write(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{write 0 depends on iterator 0, which is a reduction}}
    scop.stmt @S domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>) writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [0] {
    ^bb0(%e: f32, %a: f32):
      %0 = arith.addf %e, %a : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @reduction_read(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{is a reduction, but does not read the element of write 0}}
    scop.stmt @S domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>) writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

func.func @reduction_combiner(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{is a reduction, but does not combine the element of write 0 with others in one commutative and associative operation}}
    scop.stmt @S domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>) writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32, %a: f32):
      %0 = arith.subf %e, %a : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @tree_body(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.tree {
      // expected-error @+1 {{is not allowed in a constraint tree, which holds scop.linear and scop.sequence only}}
      %0 = arith.constant 0.0 : f32
    }
  }
  return
}

// -----

func.func @tree_statement(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.tree {
      // expected-error @+1 {{names @Z, which is not a statement of the kernel}}
      scop.linear constraints [@Z[0] eq 0] {}
    }
  }
  return
}

// -----

func.func @tree_iterator(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.tree {
      // expected-error @+1 {{names iterator 1 of @X, which has 1}}
      scop.linear constraints [@X[1] eq 0] {}
    }
  }
  return
}

// -----

func.func @tree_row(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.tree {
      scop.linear {
        // expected-error @+1 {{refers to row 1, but only 1 are outside of it}}
        scop.linear constraints [@X[0] at 1 eq 0] {}
      }
    }
  }
  return
}

// -----

func.func @tree_listed(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.tree {
      // expected-error @+1 {{needs names of dependences just where the coincidence is of those listed}}
      scop.linear coincidence listed {}
    }
  }
  return
}

// -----

func.func @tree_order_twice(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.tree {
      // expected-error @+1 {{names @X twice}}
      scop.sequence [[@X], [@X]] {}
    }
  }
  return
}

// -----

func.func @tree_order(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @X domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.stmt @Y domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.tree {
      // expected-error @+1 {{does not name @Y}}
      scop.sequence [[@X]] {}
    }
  }
  return
}

// -----

func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has tiles, but no schedule}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
       tiles [2, 8] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has tiles of size 0}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> tiles [2, 0] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has 1 tile sizes, but its schedule 2 outer loops}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> tiles [2] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has 2 tile sizes, but its schedule 1 outer loops}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0], @S = (d0, d1) -> (d0, d1)> tiles [2, 8] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has tiles, but an outer loop that is not the same iterator, or none, of each statement}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0 + d1, d1)> tiles [2, 8] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

// Two tiles write the one row.
func.func @tiles(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has tiles that do not each write one box of their own of output 0}}
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%y : tensor<8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)>
      tiles [2, 8] -> tensor<8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d1)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<8xf32>
}

// -----

// The halves of a row are two boxes.
func.func @tiles(%x: tensor<4x4xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{has tiles that do not each write one box of their own of output 0}}
  %r = scop.kernel ins(%x : tensor<4x4xf32>) outs(%y : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident, sequence band 0],
                @S = (d0, d1) -> (d0, d1, 0), @T = (d0, d1) -> (d0, d1, 1)>
      tiles [2, 4] -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x4xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
    scop.stmt @T domain [4, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x4xf32>)
        writes(%Y[(d0, d1) -> (d0, d1 + 4)] : memref<4x8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @tiles(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{has tiles, but no results}}
  scop.kernel ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> tiles [4] {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

func.func @launch_dependent(%x: tensor<8xf32>, %e: tensor<8xf32>) {
  %r = scop.launch -> tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    // expected-error @+1 {{'scop.kernel' op operand 0 is a result of a kernel of the same launch; what one computes is there for others only when the launch has ended}}
    %b = scop.kernel ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    scop.yield %b : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_other_op(%x: tensor<8xf32>, %e: tensor<8xf32>) {
  %r = scop.launch -> tensor<8xf32> {
    // expected-error @+1 {{'tensor.empty' op is not allowed in a launch, which holds scop.kernel ops on tensors only}}
    %d = tensor.empty() : tensor<8xf32>
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    scop.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_yields_other(%x: tensor<8xf32>, %e: tensor<8xf32>) {
  %r = scop.launch -> tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    // expected-error @+1 {{'scop.yield' op value 0 is no result of a kernel of its launch}}
    scop.yield %x : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_result(%x: tensor<8xf32>, %e: tensor<8xf32>) {
  %r = scop.launch -> tensor<4xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    // expected-error @+1 {{'scop.yield' op must yield ('tensor<4xf32>'), the results of its launch, but yields ('tensor<8xf32>')}}
    scop.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @launch_empty() {
  // expected-error @+1 {{'scop.launch' op needs a kernel}}
  scop.launch {
    scop.yield
  }
  return
}

// -----

func.func @launch_without_yield() {
  // expected-error @+1 {{'scop.launch' op body must end with scop.yield}}
  scop.launch {
    llvm.unreachable
  }
  return
}

// -----

func.func @launch_memrefs(%y: memref<8xf32>) {
  scop.launch {
    // expected-error @+1 {{'scop.kernel' op is not allowed in a launch, which holds scop.kernel ops on tensors only}}
    scop.kernel outs(%y : memref<8xf32>) {
    ^bb0(%Y: memref<8xf32>):
      scop.stmt @X domain [8] writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
        %0 = arith.constant 0.0 : f32
        scop.yield %0 : f32
      }
    }
    scop.yield
  }
  return
}

// -----

func.func @no_statement(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has no statement}}
  %r = scop.kernel ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
  }
  return %r : tensor<8xf32>
}

// -----

func.func @scatter_into_input(%x: memref<4xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%X: memref<4xf32>, %Y: memref<4xf32>):
    scop.stmt @S domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %i = scop.index 0 : index
      %c = arith.constant 0.0 : f32
      // expected-error @+1 {{scatters into an array that is no output of the kernel}}
      scop.scatter %c into %X[%i] : memref<4xf32>
      scop.yield %c : f32
    }
  }
  return
}

// -----

func.func @scatter_into_what_is_read(%y: memref<4xf32>) {
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @S domain [4] reads(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%v: f32):
      %i = scop.index 0 : index
      // expected-error @+1 {{scatters into an array that something else in the kernel accesses}}
      scop.scatter %v into %Y[%i] : memref<4xf32>
      scop.yield
    }
  }
  return
}

// -----

func.func @scatter_rank(%y: memref<4x4xf32>) {
  scop.kernel outs(%y : memref<4x4xf32>) {
  ^bb0(%Y: memref<4x4xf32>):
    scop.stmt @S domain [4] {
      %i = scop.index 0 : index
      %c = arith.constant 0.0 : f32
      // expected-error @+1 {{has 1 indices, but 'memref<4x4xf32>' takes 2}}
      scop.scatter %c into %Y[%i] : memref<4x4xf32>
      scop.yield
    }
  }
  return
}

// -----

func.func @scatter_outside(%y: memref<4xf32>, %i: index, %v: f32) {
  // expected-error @+1 {{must be in a scop.stmt}}
  scop.scatter %v into %y[%i] : memref<4xf32>
  return
}

// -----

func.func @scatter_in_reduction(%y: memref<4xf32>, %s: memref<f32>) {
  scop.kernel outs(%y, %s : memref<4xf32>, memref<f32>) {
  ^bb0(%Y: memref<4xf32>, %S: memref<f32>):
    scop.stmt @S domain [4] reads(%S[(d0) -> ()] : memref<f32>)
        writes(%S[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%sum: f32):
      %i = scop.index 0 : index
      %c = arith.constant 1.0 : f32
      // expected-error @+1 {{is in a reduction}}
      scop.scatter %c into %Y[%i] : memref<4xf32>
      %next = arith.addf %sum, %c : f32
      scop.yield %next : f32
    }
  }
  return
}
