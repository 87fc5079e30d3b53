// RUN: grout-opt %s -split-input-file -verify-diagnostics

func.func @rank(%q: tensor<4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor of f16, bf16 or f32, but got 'tensor<4x8x16xf16>'}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @dynamic(%q: tensor<1x4x?x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x?x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @types(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xbf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{has a query of 'f16', but a key or value of 'bf16'}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xbf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @integers(%q: tensor<1x4x8x16xi32>, %k: tensor<1x2x9x16xi32>, %v: tensor<1x2x9x16xi32>) {
  // expected-error @+1 {{operand #0 must be static 4-D tensor}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xi32>, tensor<1x2x9x16xi32>, tensor<1x2x9x16xi32> -> tensor<1x4x8x16xi32>
  return
}

// -----

func.func @empty(%q: tensor<1x4x0x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x0x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x0x16xf16>
  return
}

// -----

func.func @large(%q: tensor<1073741824x1073741824x8x16xf16>, %k: tensor<1073741824x2x9x16xf16>, %v: tensor<1073741824x2x9x16xf16>) {
  // expected-error @+1 {{has a tensor of more than 2^63 bytes}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1073741824x1073741824x8x16xf16>, tensor<1073741824x2x9x16xf16>, tensor<1073741824x2x9x16xf16> -> tensor<1073741824x1073741824x8x16xf16>
  return
}

// -----

func.func @scale(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{needs a finite scale}}
  %0 = tgemm.attention %q, %k, %v {scale = 0x7F800000 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @groups(%q: tensor<1x4x8x16xf16>, %k: tensor<1x3x9x16xf16>, %v: tensor<1x3x9x16xf16>) {
  // expected-error @+1 {{cannot distribute 4 heads of queries to 3 heads of keys}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x3x9x16xf16>, tensor<1x3x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @query_size(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x12xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{query must have 12 elements, but has 16}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x12xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @key_batch(%q: tensor<1x4x8x16xf16>, %k: tensor<2x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{key must have 1 batches, but has 2}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<2x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @value_keys(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x7x16xf16>) {
  // expected-error @+1 {{value must have 9 positions, but has 7}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x7x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @value_heads(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x4x9x16xf16>) {
  // expected-error @+1 {{value must have 2 heads, but has 4}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x4x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @result_size(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{result must have 16 elements, but has 8}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x8xf16>
  return
}

// -----

func.func @layouts(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{needs layouts of query, key, value and result, but has 1}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, layouts = [affine_map<(b, h, i, d) -> (b, h, i, d)>]} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @permutation(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{is not a permutation of 4 dimensions}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, layouts = [affine_map<(b, h, i, d) -> (b, b, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>]} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @layout_rank(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{is not a permutation of 4 dimensions}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, layouts = [affine_map<(b, h) -> (h, b)>, affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>]} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @causal(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{has an offset of 2199023255552 between queries and keys; it may be up to 2^40}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, causal = 2199023255552} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @causal_below(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{has an offset of -9223372036854775808 between queries and keys; it may be up to 2^40}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, causal = -9223372036854775808} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @bias_without_map(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>, %b: tensor<8x9xf16>) {
  // expected-error @+1 {{needs a bias and a bias_map together}}
  %0 = tgemm.attention %q, %k, %v bias(%b : tensor<8x9xf16>) {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @map_without_bias(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{needs a bias and a bias_map together}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (i, j)>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @bias_rank(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>, %b: tensor<8x9xf16>) {
  // expected-error @+1 {{bias_map must be a projected permutation that takes 4 coordinates to 2}}
  %0 = tgemm.attention %q, %k, %v bias(%b : tensor<8x9xf16>) {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (j)>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @bias_sum(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>, %b: tensor<16xf16>) {
  // expected-error @+1 {{bias_map must be a projected permutation}}
  %0 = tgemm.attention %q, %k, %v bias(%b : tensor<16xf16>) {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (i + j)>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @bias_extent(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>, %b: tensor<8x8xf16>) {
  // expected-error @+1 {{bias has 8 elements in dimension 1, but its map needs 9}}
  %0 = tgemm.attention %q, %k, %v bias(%b : tensor<8x8xf16>) {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (i, j)>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

// Queries and keys fit 2^63 bytes, but not all pairs of them.
func.func @bias_size(%q: tensor<1x4x4294967296x16xf16>, %k: tensor<1x2x4294967296x16xf16>, %b: tensor<4294967296x4294967296xf16>) {
  // expected-error @+1 {{has a tensor of more than 2^63 bytes, 'tensor<4294967296x4294967296xf16>'}}
  %0 = tgemm.attention %q, %k, %k bias(%b : tensor<4294967296x4294967296xf16>) {scale = 1.0 : f32, bias_map = affine_map<(b, h, i, j) -> (i, j)>} : tensor<1x4x4294967296x16xf16>, tensor<1x2x4294967296x16xf16>, tensor<1x2x4294967296x16xf16> -> tensor<1x4x4294967296x16xf16>
  return
}

// -----

func.func @tile(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{tile sizes must be positive, got m = 0, n = 64}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 0, n = 64>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @stages(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{a tiling needs at least one stage, got 0}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 0>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @warpgroups(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{a tiling needs at least one warpgroup, got 0}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, warpgroups = 0>} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @splits(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{a tiling needs positive heads and splits, got heads = 1, splits = 0}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, splits = 0>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @rows(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{cannot distribute 64 rows to 3 heads}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, heads = 3>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @more_heads(%q: tensor<1x4x8x16xf16>, %k: tensor<1x1x9x16xf16>) {
  // expected-error @+1 {{cannot have 8 heads in a tile: 4 read the same keys, which that does not divide}}
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, heads = 8>} : tensor<1x4x8x16xf16>, tensor<1x1x9x16xf16>, tensor<1x1x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @no_part(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{has parts of 0 keys; they must have at least 1}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 0} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<1x4x8x20xf32>
  return
}

// -----

func.func @part_batches(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{result must have 3 batches, but has 2}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 3} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<2x4x8x20xf32>
  return
}

// -----

func.func @part_size(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{result must have 20 elements, but has 16}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 4} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<2x4x8x16xf32>
  return
}

// -----

func.func @part_type(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{has keys in parts, whose results must be f32}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 4} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<2x4x8x20xf16>
  return
}

// -----

#order = affine_map<(b, h, i, d) -> (b, h, i, d)>
#other = affine_map<(b, h, i, d) -> (b, i, h, d)>

func.func @part_layout(%q: tensor<1x4x8x16xf16>) {
  // expected-error @+1 {{has keys in parts, whose results must have the layout (b, h, i, d)}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 4, layouts = [#order, #order, #order, #other]} : tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16>, tensor<1x4x8x16xf16> -> tensor<2x8x4x20xf32>
  return
}

// -----

func.func @heads(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{cannot have 4 heads in a tile: 2 read the same keys, which that does not divide}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, heads = 4>} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}
