//===- Passes.td - Passes on upstream's dialects -----------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TRANSFORMS_PASSES_TD
#define GROUT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TensorDecomposeConcat : Pass<"tensor-decompose-concat",
                                 "::mlir::func::FuncOp"> {
  let summary = "turn tensor.concat into slices that are inserted";
  let description = [{
    Each operand is inserted into a tensor that starts as anything. Shapes must
    be static.

    ```mlir
    %z = tensor.concat dim(0) %x, %y
        : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    ```

    becomes

    ```mlir
    %e = tensor.empty() : tensor<5xf32>
    %a = tensor.insert_slice %x into %e[0] [2] [1]
        : tensor<2xf32> into tensor<5xf32>
    %z = tensor.insert_slice %y into %a[2] [3] [1]
        : tensor<3xf32> into tensor<5xf32>
    ```
  }];
  let statistics = [
    Statistic<"numConcatenations", "concatenations", "Ops that are decomposed">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def VerifyAffineMaps : Pass<"verify-affine-maps"> {
  let summary = "refuse affine maps that divide by less than 1";
  let description = [{
    Upstream's verifiers let maps pass that divide by 0 or by negative numbers,
    and what lowers them crashes. An op with such a map is refused, before a pass
    uses it.
  }];
}

def VerifyPaddings : Pass<"verify-paddings"> {
  let summary = "refuse paddings that are operands which are not there";
  let description = [{
    A padding of `tensor.pad` that is -2^63 stands for an operand. Upstream's
    verifier does not look whether that is there, and its canonicalization takes
    it. Such an op is refused, before a pass uses it.
  }];
}

def VerifyReshapes : Pass<"verify-reshapes"> {
  let summary = "refuse reshapes of dimensions that do not exist";
  let description = [{
    The reassociation of `tensor.collapse_shape` and `tensor.expand_shape` has
    64-bit integers, of which upstream's verifier sees the low 32 bits: 2^32
    passes for 0. Such an op is refused, before a pass uses the number.
  }];
}

def VerifyScalarTypes : Pass<"verify-scalar-types"> {
  let summary = "refuse types of numbers that no target computes with";
  let description = [{
    Targets compute with f16, bf16, f32, f64 and integers of up to 64 bits. An op
    of `arith`, `math` or `linalg` on wider integers, other floats (f8, tf32, f80,
    f128) or complex numbers is refused, before a pass uses it: LLVM's translation would
    refuse it much later, in terms of its own.
  }];
}

def LinalgSinkTransposes : Pass<"linalg-sink-transposes",
                                "::mlir::func::FuncOp"> {
  let summary = "move transposes from channels last behind what follows";
  let description = [{
    An elementwise op on a `linalg.transpose` of what a `tgemm.conv2d` computes
    works on what is not transposed yet, and its result is transposed. Its other
    operands are read in the new order; those of all dimensions are transposed
    before it, unless they are such a transpose, too. Where two are to be moved
    that differ, neither is.

    A transpose of any tensor from channels last to channels before rows moves
    behind elementwise ops, too, if all that they read as a whole is one,
    behind `tensor.pad` and `tensor.extract_slice`, as which importers have
    pooling, and behind `tensor.insert_slice`, if all that it and those before it
    insert into a `tensor.empty` are such transposes, as those of branches. It
    moves behind `tensor.collapse_shape` and `tensor.expand_shape` that neither
    split channels nor take them together with others: images of one row become
    lines, and planes those of volumes. `linalg.depthwise_conv_2d_nchw_chw` of what is transposed so becomes
    one with channels last. Transposes that follow one another become one, or
    none. So a network with channels before rows runs with channels last all
    through.

    What is left and moves only dimensions of extent 1, such as a filter's of one
    pixel, becomes a reshape.

    ```mlir
    %t = linalg.transpose ins(%images : tensor<1x8x8x64xf16>)
        outs(%e : tensor<1x64x8x8xf16>) permutation = [0, 3, 1, 2]
    %y = linalg.generic ... ins(%t : tensor<1x64x8x8xf16>) ...
    ```

    becomes

    ```mlir
    %t = linalg.generic ... ins(%images : tensor<1x8x8x64xf16>) ...
    %y = linalg.transpose ins(%t : tensor<1x8x8x64xf16>)
        outs(%e : tensor<1x64x8x8xf16>) permutation = [0, 3, 1, 2]
    ```
  }];
  let statistics = [
    Statistic<"numSunk", "sunk", "Transposes that move">
  ];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LinalgCollapseContractions : Pass<"linalg-collapse-contractions",
                                      "::mlir::func::FuncOp"> {
  let summary = "make products of matrices of contractions of any rank";
  let description = [{
    A contraction may have several dimensions of rows, of columns, of what it
    sums up and of its batch, in any order. Each of the four becomes one, by a
    `tensor.collapse_shape` of the operands and a `tensor.expand_shape` of the
    result, and the batch leads. An operand, or the result, in which dimensions
    of one kind are not next to each other, or not in the order that they have
    in the result (summed ones: in the first operand), is transposed. Products
    of matrices, and of one batch that leads, stay as they are; so do sums of
    products without rows or columns, which are no products of matrices.

    ```mlir
    %y = linalg.contract indexing_maps = [
           affine_map<(b, c, m, n, k) -> (b, c, m, k)>,
           affine_map<(b, c, m, n, k) -> (b, c, k, n)>,
           affine_map<(b, c, m, n, k) -> (b, c, m, n)>]
         ins(%l, %r : tensor<2x3x8x16xf32>, tensor<2x3x16x4xf32>)
         outs(%i : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
    ```

    becomes a `linalg.generic` of `tensor<6x8x16xf32>` and `tensor<6x16x4xf32>`,
    whose result is `tensor<6x8x4xf32>`.
  }];
  let statistics = [
    Statistic<"numCollapsed", "collapsed", "Contractions that become products">
  ];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LinalgSinkReshapes : Pass<"linalg-sink-reshapes",
                              "::mlir::func::FuncOp"> {
  let summary = "move reshapes of products behind the elementwise ops on them";
  let description = [{
    Importers multiply matrices of all rows of a batch, and go on with the batch
    as a dimension of its own. An elementwise op on a `tensor.expand_shape` of
    what a contraction computes works on the matrix instead, and its result is
    reshaped; other operands are reshaped before it. So it can be in the
    product's epilogue. Operands that were reshaped only by dimensions of one
    element, and are read at their only place, are read as they were before.
    Other ops on reshapes stay. The remainder of an iterator by its extent is
    the iterator itself, so a causal mask is still one when loops of extent 1
    have been joined with others.

    ```mlir
    %c = tensor.expand_shape %product [[0, 1], [2]] output_shape [2, 8, 4]
        : tensor<16x4xf32> into tensor<2x8x4xf32>
    %d = linalg.generic ... ins(%c : tensor<2x8x4xf32>) ...
    ```

    becomes

    ```mlir
    %c = linalg.generic ... ins(%product : tensor<16x4xf32>) ...
    %d = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 8, 4]
        : tensor<16x4xf32> into tensor<2x8x4xf32>
    ```
  }];
  let statistics = [
    Statistic<"numSunk", "sunk", "Reshapes that move">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def FoldFloatCasts : Pass<"fold-float-casts"> {
  let summary = "round constants to the types in which they are used";
  let description = [{
    Upstream folds such a cast only if nothing is lost. Importers leave the
    scalars of a program as constants of f64, which are cast where they are used;
    they are rounded to the nearest number, and to the even one of two, as the
    cast would do when it runs.

    Or values are made wider with `arith.extf`, to be compared with such a
    constant. They are compared as they were: with the constant, or if their
    type has no such number, with the next one below or above, which they are
    at most or at least where they are less or greater.

    ```mlir
    %wide = arith.extf %x : f16 to f64
    %is_less = arith.cmpf olt, %wide, %c : f64  // 0.1
    ```

    becomes

    ```mlir
    %is_less = arith.cmpf ole, %x, %below : f16  // 0.099975586
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandScalarMath : Pass<"expand-scalar-math"> {
  let summary = "express functions by others that all targets have";
  let description = [{
    | op | becomes |
    |---|---|
    | `math.ipowi` | products of squares; to the power of a negative number, 1 divided by the power: 0, 1 or -1, for base 0 as in `define-integer-division` |
    | `math.fpowi` of no constant | `math.powf` of the absolute value, with a sign |
    | `math.clampf` | `arith.maximumf` and `arith.minimumf` |
    | `math.isinf`, `math.isnormal` | comparisons of the absolute value |
    | `math.sincos` | `math.sin` and `math.cos` |

    Ops on vectors and tensors stay.

    ```mlir
    %y = math.isinf %x : f32
    ```

    becomes

    ```mlir
    %size = math.absf %x : f32
    %y = arith.cmpf oeq, %size, %infinity : f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def DefineIntegerDivision : Pass<"define-integer-division"> {
  let summary = "give integer divisions a result for every divisor";
  let description = [{
    What `arith.divsi`, `divui`, `remsi`, `remui`, `ceildivsi`, `ceildivui` and
    `floordivsi` leave undefined gets a result:

    | | quotient | remainder |
    |---|---|---|
    | x divided by 0 | all bits set: -1 | x |
    | the smallest number divided by -1 | itself | 0 |

    Processors disagree about these; x86 ends the process. Now all targets and
    the reference agree. Divisions by other constants stay as they are. A named
    op of linalg that divides becomes a `linalg.generic`.

    ```mlir
    %q = arith.divui %x, %y : i32
    ```

    becomes

    ```mlir
    %isZero = arith.cmpi eq, %y, %c0 : i32
    %safe = arith.select %isZero, %c1, %y : i32
    %quotient = arith.divui %x, %safe : i32
    %q = arith.select %isZero, %c-1, %quotient : i32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def LinalgDropUnusedResults : Pass<"linalg-drop-unused-results",
                                   "::mlir::func::FuncOp"> {
  let summary = "leave out results of linalg.generic that nobody reads";
  let description = [{
    For example, importers make a maximum along an axis an op with two results,
    the maximum and its index, also where only the maximum is used. Such a pair
    is a recurrence, which one thread computes; a maximum alone is a reduction,
    which threads share. An output stays if another result that is used is
    computed from its elements.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LinalgFoldEmpty : Pass<"linalg-fold-empty", "::mlir::func::FuncOp"> {
  let summary = "leave out linalg ops that run over no elements";
  let description = [{
    A structured op that has a loop of no iterations yields what its outputs
    start as: a product with `K = 0`, or a sum of no terms. So does a softmax of
    no elements. A tensor without elements, padded, is its padding, and inserted
    leaves its destination as it is. Tile kernels of a `tsync.chain` are left
    alone.

    Functions that take or return tensors without elements are refused, as no
    artifact has them, and so are results that would be elements of
    `tensor.empty`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LinalgInsertResults : Pass<"linalg-insert-results",
                               "::mlir::func::FuncOp"> {
  let summary = "write results into tensors of their own, and insert those";
  let description = [{
    A `linalg.generic` may write a part of an output only, by a map with
    offsets, strides or constants, and leave the other elements as they were.
    Here its result becomes a tensor of the shape of its loops, which
    `tensor.insert_slice` puts into the output; `tensor.extract_slice` takes
    what it reads of the output. So every tile kernel writes all of its outputs.
    Maps that write no slice, such as `d0 + d1`, stay as they are.
  }];
  let statistics = [
    Statistic<"numInsertions", "insertions", "Results that are inserted">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def LinalgRoundOnce : Pass<"linalg-round-once", "::mlir::func::FuncOp"> {
  let summary = "compute in f32 what elementwise ops compute in f16 or bf16";
  let description = [{
    An elementwise op of f16 or bf16 computes in f32, and rounds its result. If
    one op alone reads that, and the same kernel may compute both, the rounding
    is marked with `fastmath<contract>`: it may be left out where the two bodies
    become one, in an epilogue or by `linalg-fold-roundings`. What two ops read,
    what is compared, and what the function returns is rounded in any case, so
    that all who read it see the same. A product whose result is read by such an
    op has a result of f32.

    For example, in f16 `(x + y) * z` is rounded once, instead of twice:

    ```mlir
    %s = arith.addf %x, %y : f16
    ```

    becomes

    ```mlir
    %0 = arith.extf %x fastmath<contract> : f16 to f32
    %1 = arith.extf %y fastmath<contract> : f16 to f32
    %2 = arith.addf %0, %1 : f32
    %s = arith.truncf %2 fastmath<contract> : f32 to f16
    ```

    An `arith.truncf` that states its rounding mode is one that the program asks
    for. It stays, without the mode. Tile kernels (`grout.tile_sizes`) and what
    combines elements stay as they are.
  }];
  let statistics = [
    Statistic<"numWidened", "widened", "Ops that compute in f32 now">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LinalgWidenResiduals : Pass<"linalg-widen-residuals",
                                "::mlir::func::FuncOp"> {
  let summary = "sums of f16 or bf16 that sums are added to are f32";
  let description = [{
    A residual connection adds what a layer computes to what the layers before
    have added up. Rounded in each layer, such a sum loses more than the products
    do. So a sum of f16 or bf16 becomes f32 if another op adds to it, and all who
    read it are elementwise ops and reductions that widen it. A sum that a
    product, a comparison or the caller reads stays as it is.

    For example, in a transformer whose layers have norms in front,

    ```mlir
    %1 = linalg.generic ... ins(%x, %attention : ...) -> tensor<64x256xbf16>
    %normed = linalg.generic ... ins(%1 : tensor<64x256xbf16>)
      -> tensor<64x256xf32>
    %2 = linalg.generic ... ins(%1, %mlp : ...) -> tensor<64x256xbf16>
    ```

    `%1` becomes a `tensor<64x256xf32>`, since `%2` adds to it. It expects what
    `linalg-round-once` makes: bodies that compute in f32.
  }];
  let statistics = [
    Statistic<"numWidened", "widened", "Sums that are f32 now">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LinalgFoldRoundings : Pass<"linalg-fold-roundings",
                               "::mlir::func::FuncOp"> {
  let summary = "leave out roundings between ops of one kernel";
  let description = [{
    If an elementwise op rounds its result to f16 or bf16 by an `arith.truncf`
    with `fastmath<contract>`, and one `linalg.generic` alone reads it, their
    tensor becomes f32. Both become statements of one kernel, where such a tensor
    is registers. See `linalg-round-once`.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Tensors that become f32">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LinalgFuseConditions : Pass<"linalg-fuse-conditions",
                                "::mlir::func::FuncOp"> {
  let summary = "compute truth values where they are used";
  let description = [{
    Makes an elementwise op with a truth value as its result part of the one
    elementwise op that reads it. For example, `where((a > b) | (a != a), a, b)`
    are four ops, and become one. So a maximum of windows has one statement for
    each element of a window, and fits one memory-bound kernel. No value but
    truth values vanishes, so nothing is rounded otherwise.

    Ops that are tiled (`grout.tile_sizes`) stay.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Conditions that become part of their readers">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LinalgWidenAccumulators : Pass<"linalg-widen-accumulators",
                                   "::mlir::func::FuncOp"> {
  let summary = "make sums in wider types than their terms";
  let description = [{
    Sums, products and other recurrences of f16 and bf16 over the reduction
    loops of linalg ops become f32, and are rounded once, by an elementwise op
    of their own. Everything in the op's body that only they use is f32, too, so
    that casts to the narrow type vanish. What a sum starts from is extended.
    Maxima and minima stay, as they round nothing. `linalg.softmax` becomes the
    ops that it consists of, which for f16 and bf16 are f32 but for the result.

    With `long-sum`, recurrences of f16, bf16 and f32 over at least so many
    terms become f64, in no particular order. Their terms stay as they are, or
    f32: each is rounded once, and their sum once.

    Ops that are bound by arithmetic are left alone: what makes products of them
    has accumulators of f32. With a tile shape (`grout.tile_sizes`) they become
    f32 like the rest, but nothing with one becomes f64, as such kernels have
    their sums in memory.
  }];
  let statistics = [
    Statistic<"numWidened", "widened", "Sums that get a wider type">
  ];
  let options = [
    Option<"longSum", "long-sum", "int64_t", /*default=*/"0",
           "Terms from which on a sum is f64; 0 for never">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def ExpandCancellingMath : Pass<"expand-cancelling-math", "::mlir::ModuleOp"> {
  let summary = "compute expm1 and log1p without cancellation";
  let description = [{
    Upstream's lowering to LLVM turns `math.expm1` into `exp(x) - 1`, and
    `math.log1p` into `log(1 + x)`, which lose what is small: both are 0 at 1e-8.
    In f32 they become arithmetic that does not, in other types calls of libm.

    ```mlir
    %y = math.log1p %x : f64
    ```

    becomes

    ```mlir
    %y = call @log1p(%x) : (f64) -> f64
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ExpandHalfFloats : Pass<"expand-half-floats", "::mlir::ModuleOp"> {
  let summary = "casts between f64 and f16 or bf16 without a library";
  let description = [{
    Casts between f64 and f16 or bf16, and `math.fma` of these, become operations
    that LLVM has instructions for. They round once, but for sums of bf16 whose
    magnitudes differ by more than 2^37.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def SwapSelectsOfZero : Pass<"swap-selects-of-zero"> {
  let summary = "keep the sign of zero where LLVM would lose it";
  let description = [{
    Swaps the operands of a select that takes 0.0 if a number is less, or
    greater, than zero. If the other operand is the number, but widened or
    rounded, LLVM's InstCombine would move the cast behind the select, and then
    take -0.0 for less than 0.0. It leaves the swapped form alone, which costs
    the same. A condition may also come from a local variable, from which LLVM
    takes it.

    ```mlir
    %less = arith.cmpf olt, %x, %zero : f16
    %y = arith.select %less, %wide_zero, %wide : f32
    ```

    becomes

    ```mlir
    %other = arith.cmpf uge, %x, %zero : f16
    %y = arith.select %other, %wide, %wide_zero : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BFloatsAsIntegers : Pass<"bfloats-as-integers", "::mlir::ModuleOp"> {
  let summary = "turn values of bf16 into integers of 16 bits";
  let description = [{
    For kernels whose arithmetic in bf16 has been expanded: what is left moves
    values and takes their bits. LLVM would keep some of them in f32, and round
    that, by a function of the compiler's runtime that the host may lack.
  }];
}

#endif // GROUT_TRANSFORMS_PASSES_TD
