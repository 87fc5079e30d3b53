//===- Passes.td - Passes of the tgemm dialect -------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
#define GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TGemmApplyTilings : Pass<"tgemm-apply-tilings", "::mlir::ModuleOp"> {
  let summary = "give products the tilings that their module lists";
  let description = [{
    A module may have the attribute `tgemm.tilings`: a list with one tiling for
    each product in it, a `tgemm.matmul` or `tgemm.conv2d`, in the order in which
    they stand there. This pass moves them to the ops, and removes the list. So a
    program can be compiled with many tilings without a change of its text, as
    grout-tune does. An op that has a tiling must be listed with the same.
  }];
}

def TGemmDecompose : Pass<"tgemm-decompose", "::mlir::func::FuncOp"> {
  let summary = "turn tgemm ops into linalg that computes the same";
  let description = [{
    Replaces each `tgemm.matmul`, `tgemm.conv2d` and `tgemm.attention` by the
    ops of linalg that it stands for, with intermediate results of f32, without
    its tiling and outside of its chain. The compiler has no use for them: they
    say what an op means, and are what `--check` compares its kernel with.

    Example:

    ```mlir
    %y = tgemm.matmul %x, %w
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    ```

    becomes

    ```mlir
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>)
    %1 = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x256xf16>, tensor<256x512xf16>)
      outs(%0 : tensor<128x512xf32>)
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<128x512xf32>) outs(%other : tensor<128x512xf16>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def TGemmMergeGroups
    : Pass<"tgemm-merge-groups", "::mlir::func::FuncOp"> {
  let summary = "let narrow groups of a convolution share tiles";
  let description = [{
    A tile of a convolution of several groups has features that are made of the
    same channels. Where the target's tiles are wider than a group, or its
    columns come in multiples that do not divide one, this pass gives blocks of
    features (`feature_block`) the channels of all groups that they are in, and
    widens the filter by zeros. Of whole groups and widths that tiles like best
    it chooses the block for which the fewest channels are multiplied.

    It leaves convolutions alone that have blocks or tiles already: tiles for
    blocks that it makes can be listed by the module (`tgemm-apply-tilings`).

    Zeros times infinity are no number: where an input is infinite or none,
    results of the groups that share a block with its own are none.

    Example: with 4 channels and 4 features in each of 32 groups,

    ```mlir
    %y = tgemm.conv2d %x, %w {groups = 32 : i64, ...}
      : tensor<1x56x56x128xf16>, tensor<128x3x3x4xf16> -> tensor<3136x128xf16>
    ```

    becomes, for Hopper,

    ```mlir
    %0 = linalg.generic ... ins(%w : tensor<128x3x3x4xf16>)
      outs(... : tensor<128x3x3x16x4xf16>)
    %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4]]
      : tensor<128x3x3x16x4xf16> into tensor<128x3x3x64xf16>
    %y = tgemm.conv2d %x, %1 {groups = 32 : i64, feature_block = 64 : i64, ...}
      : tensor<1x56x56x128xf16>, tensor<128x3x3x64xf16> -> tensor<3136x128xf16>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numMerged", "merged", "Convolutions whose groups share tiles">
  ];
}

def TGemmNarrowResults
    : Pass<"tgemm-narrow-results", "::mlir::func::FuncOp"> {
  let summary = "let results be widened by those that read them";
  let description = [{
    Where an epilogue ends with the conversion of an element of 16 bits to f32,
    as before a layer norm of f16, and only one memory-bound kernel will read the
    result, perhaps reshaped, the product yields the narrow element, and the
    kernel converts it. That is the same number, and half of what is written and
    read. Several ops are one kernel if all need what the first one computes.

    Example:

    ```mlir
    %h = tgemm.matmul %x, %w : tensor<128x256xf16>, tensor<256x512xf16>
      -> tensor<128x512xf32> {
    ^bb0(%acc: f32):
      %narrow = arith.truncf %acc : f32 to f16
      %wide = arith.extf %narrow : f16 to f32
      tgemm.yield %wide : f32
    }
    ```

    becomes, if a sum over rows reads it,

    ```mlir
    %0 = tgemm.matmul %x, %w : tensor<128x256xf16>, tensor<256x512xf16>
      -> tensor<128x512xf16> {
    ^bb0(%acc: f32):
      %narrow = arith.truncf %acc : f32 to f16
      tgemm.yield %narrow : f16
    }
    %h = linalg.generic ... ins(%0 : tensor<128x512xf16>)
      outs(... : tensor<128x512xf32>) // arith.extf
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Products whose results are narrower">
  ];
}

def TGemmPlaceParts
    : Pass<"tgemm-place-parts", "::mlir::func::FuncOp"> {
  let summary = "let products write their parts of concatenated tensors";
  let description = [{
    Where all parts of a tensor are results of products, which
    `tensor.insert_slice` puts side by side along a dimension, one
    `tensor.concat` takes their place. It is no kernel: `launch-form-plans` makes
    each result a part of the one buffer, and whoever reads the whole waits for
    the launches of all.

    So it is for results, perhaps reshaped, that are in no other concatenation,
    and that only products and attention read besides, where rows of each begin
    and end at multiples of 16 bytes. Other insertions are left to `scop`, which
    copies.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<784x192xf16>
    %0 = tensor.insert_slice %a into %e[0, 0] [784, 64] [1, 1] : ...
    %1 = tensor.insert_slice %b into %0[0, 64] [784, 128] [1, 1] : ...
    ```

    becomes, if `%a` and `%b` are results of products,

    ```mlir
    %1 = tensor.concat dim(1) %a, %b
      : (tensor<784x64xf16>, tensor<784x128xf16>) -> tensor<784x192xf16>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numPlaced", "placed", "Products that write parts">
  ];
}

def TGemmJoinProducts : Pass<"tgemm-join-products"> {
  let summary = "launch products side by side";
  let description = [{
    Queries, keys and values are products of one `lhs` that do not depend on each
    other, and so are convolutions of the branches of an inception module. One by
    one, small ones fill a part of the GPU each. Where the model of the target
    says that one launch of several is faster, this pass moves them, and what
    they need, to the first of them, gives them tilings that go together in one
    kernel, and sets `launched_with_next` on each but the last.

    Products of one `lhs` that are alike but for their columns and epilogues get
    the tiling that suits a product with the columns of all. Then what does not
    depend on them joins, one after another, each with a tiling of its own. None
    that has a tiling already does. With `record-origins`, each gets an attribute
    that says where its tiling is from.
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Products that share a launch">
  ];
  let options = [
    Option<"recordOrigins", "record-origins", "bool", /*default=*/"false",
           "Leave an attribute that says where each tiling is from">,
  ];
}

def TGemmAssignTiling : Pass<"tgemm-assign-tiling"> {
  let summary = "choose the tile shape of every product that has none";
  let description = [{
    Sets `tiling` on every `tgemm.matmul` and `tgemm.conv2d` without one. On a
    GPU, a model of the target chooses tile, cluster and stages: the time of the
    waves that a tiling makes, whose steps take as long as their products or
    their loads from the last-level cache (docs/CostModel.md). On a CPU, tiles are 64 elements wide,
    and smaller for small products.

    `mode` says how the products of a function will run, as for
    `tsync-form-chains`. In mode `persistent` their tilings are chosen such that
    one kernel can compute all of them. Mode `auto` chooses for each function,
    and leaves its choice in the attribute `tsync.execution`: `pdl`, with modes
    of edges if some kernels start in order, unless the model takes `serial` or
    `persistent` for faster, or `overlap` with modes of edges (see
    `tsync-select-edge-modes`). The last two let the next product's tiles fill
    some of what the last of several waves leaves unused. Where no times are
    modelled, as on a CPU, it is `persistent`.

    `tuning` names a file with measured times (docs/Tuning.md): a database of
    grout-tune, if it begins as SQLite files do, or else JSON lines. The fastest
    entry for all products of a function in this mode decides, or in mode `auto`
    in any mode, which then is the function's. Without one, the fastest entry of
    each product does, except where several must go together in one kernel.
    Where there is none, the model chooses. Entries that the target cannot
    compute are left out with a warning; a damaged file is an error.

    With `record-origins`, each op gets an attribute that says where its tiling
    is from, for explanations.

    A tiling that is there already is kept. Each is checked against the target's
    limits: the sizes that its MMA instructions have, the accumulators of a
    thread, and shared memory.
  }];
  let statistics = [
    Statistic<"numGiven", "given", "Tilings that were there">,
    Statistic<"numModelled", "modelled", "Tilings of the model">,
    Statistic<"numMeasured", "measured", "Tilings of the tuning database">
  ];
  let options = [
    Option<"mode", "mode", "::grout::tsync::ModeOption",
           /*default=*/"::grout::tsync::getModeOption("
           "::grout::tsync::Mode::serial)",
           "How the products will run", "::grout::tsync::getModeValues()">,
    Option<"tuning", "tuning", "std::string", /*default=*/"\"\"",
           "File with measured times to choose by; none if empty">,
    Option<"recordOrigins", "record-origins", "bool", /*default=*/"false",
           "Leave an attribute that says where each tiling is from">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TGemmAssignAttentionTiling
    : Pass<"tgemm-assign-attention-tiling", "::mlir::func::FuncOp"> {
  let summary = "choose the tile shape of attention that has none";
  let description = [{
    Sets `tiling` on every `tgemm.attention` without one, as the target says: on
    Hopper by the size of heads and how many tiles there are, on a CPU 64 rows
    and 64 keys. A tiling that is there is kept. Each is checked against the
    limits of the target. Where a kernel has tiles of products, or of one
    attention, as on Hopper, the op gets `tsync.own_launch`, too.

    `mode` says how the kernels of a function will run, as for
    `tgemm-assign-tiling`, which comes before and chooses it where there are
    products. For functions of attention alone with such a launch, this pass
    does: `pdl` where the target has it, or else `serial`.
  }];
  let options = [
    Option<"mode", "mode", "::grout::tsync::ModeOption",
           /*default=*/"::grout::tsync::getModeOption("
           "::grout::tsync::Mode::serial)",
           "How the kernels will run", "::grout::tsync::getModeValues()">,
  ];
  let dependentDialects = ["::grout::tsync::TSyncDialect"];
}

def TGemmSplitAttention
    : Pass<"tgemm-split-attention", "::mlir::func::FuncOp"> {
  let summary = "let few long rows of attention fill the processors";
  let description = [{
    Of attention with few tiles and many keys, the clusters that share out the
    keys of a tile fill only some of a GPU's processors. This pass cuts the keys
    into parts, where the target says so (`AttentionModel`): one op gives the
    sums, the largest scores and the sums of exponentials of each part
    (`part_keys`), and a linalg.generic joins them, which becomes a memory-bound
    kernel (FlashDecoding, Dao et al., 2023). Attention that has a tiling is left
    alone.

    Example: on Hopper,

    ```mlir
    %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32}
      : tensor<1x12x1x128xf16>, tensor<1x2x32768x128xf16>,
        tensor<1x2x32768x128xf16> -> tensor<1x12x1x128xf16>
    ```

    becomes

    ```mlir
    %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, part_keys = 4096 : i64}
      : tensor<1x12x1x128xf16>, tensor<1x2x32768x128xf16>,
        tensor<1x2x32768x128xf16> -> tensor<8x12x1x132xf32>
    %1 = tensor.extract_slice %0[0, 0, 0, 0] [1, 12, 1, 128] [1, 1, 1, 1] ...
    ...
    %2 = linalg.generic ... ins(%1, ...) outs(... : tensor<1x12x1x128xf16>)
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of ops whose keys are in parts">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
  ];
}

def TGemmSplitF32 : Pass<"tgemm-split-f32"> {
  let summary = "turn products of f32 into products of bf16";
  let description = [{
    A number of f32 is the sum of three of bf16: of what it rounds to, what the
    rest rounds to, and what is left, which has at most the 8 bits of a bf16. So
    a product is a sum of products of pieces. With `bf16x6` those are added that
    are not smaller than what f32 rounds off, with `bf16x3` the three largest,
    with `bf16` the largest (Henry, Tang and Heinecke, ARITH 2019). The pieces
    lie one after the other along K, those of the smallest products first, and
    the product becomes one of that many times the K, still summed in f32.

    | | relative error of a term | time |
    |---|---|---|
    | `bf16x6` | 2^-25 | 6 |
    | `bf16x3` | 2^-17 | 3 |
    | `bf16` | 2^-8 | 1 |

    With `auto` only targets that do not multiply f32 have this done, by
    `bf16x6`; with `exact` none has. Products that are in chains already stay.

    Where factors are numbers of f16 or bf16 that have only been widened, and
    maybe reshaped, sliced or transposed since, nothing is split: those are
    multiplied as they were, which loses nothing, for all choices, `exact`
    included.

    Infinities become NaN, as their pieces are inf and inf - inf; so do numbers
    beyond 3.39e38, which bf16 has not. Pieces of numbers below 1e-33 may be too
    small for bf16.

    ```mlir
    %y = tgemm.matmul %x, %w
        : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
    ```

    becomes

    ```mlir
    %0 = linalg.generic ... ins(%x : tensor<128x64xf32>)
        outs(%e : tensor<128x6x64xbf16>)
    %pieces = tensor.collapse_shape %0 [[0], [1, 2]]
        : tensor<128x6x64xbf16> into tensor<128x384xbf16>
    ...
    %y = tgemm.matmul %pieces, %others
        : tensor<128x384xbf16>, tensor<384x32xbf16> -> tensor<128x32xf32>
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Products of f32 that are split">,
    Statistic<"numNarrowed", "narrowed", "Products of what has been widened">
  ];
  let options = [
    Option<"products", "products", "::grout::tgemm::F32Products",
           /*default=*/"::grout::tgemm::F32Products::Auto",
           "As what they are computed", "::grout::tgemm::getF32ProductsValues()">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def TGemmExpandStreamK : Pass<"tgemm-expand-stream-k"> {
  let summary = "make the stream-K parts of tiles kernels";
  let description = [{
    Puts a `tgemm.partial_sums` before every `tgemm.matmul` whose tiling has
    stream-K tiles, and makes its result an operand of that. Both are then tile
    kernels, and dependences between them are derived and proved like others.
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Products whose parts become tiles">
  ];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
