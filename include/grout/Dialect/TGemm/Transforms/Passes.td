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
    A module may have the attribute `tgemm.tilings`: a list with a tiling for
    each GEMM in it (`tgemm.matmul` or `tgemm.conv2d`), in the order of the
    module's text. This pass moves the tilings to the ops, and removes the list.
    So grout-tune can compile a program with many tilings without changing its
    text. If an op has a tiling already, the list must have the same tiling for
    it.
  }];
}

def TGemmDecompose : Pass<"tgemm-decompose", "::mlir::func::FuncOp"> {
  let summary = "turn tgemm ops into linalg that computes the same";
  let description = [{
    Replaces each `tgemm.matmul`, `tgemm.conv2d` and `tgemm.attention` by linalg
    ops that compute the same, with intermediate results of f32, without its
    tiling and outside of its chain. The compiler does not use this form. The
    linalg ops define the meaning of an op, and `--check` compares the op's
    kernel with them.

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
    All features of a tile of a convolution must read the same channels. If the
    target's tiles are wider than a group, or come in multiples of columns that
    do not divide a group, this pass makes blocks of features (`feature_block`)
    that several groups share. The features of a block read the channels of all
    these groups, and the pass widens the filter by zeros. It considers blocks
    of whole groups, and blocks of the width that tiles like best. It chooses
    the block that multiplies the fewest channels.

    The pass leaves convolutions alone that already have blocks or tiles. The
    module can list tiles for the blocks that the pass makes
    (`tgemm-apply-tilings`).

    Zero times infinity is NaN. So if an input element is infinite or NaN,
    results of all groups that share a block with its group become NaN.

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
    An epilogue may end with the conversion of a 16-bit element to f32: for
    example, before a layer norm of f16. If a single memory-bound kernel will
    read the result, perhaps reshaped, the GEMM yields the 16-bit element
    instead, and the kernel converts it. The number is the same, and the kernels
    write and read half the bytes. Several reading ops become a single kernel if
    all of them need the value that the first one computes.

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

def TGemmConcatenateInPlace
    : Pass<"tgemm-concatenate-in-place", "::mlir::func::FuncOp"> {
  let summary = "let products write their parts of concatenated tensors";
  let description = [{
    If all parts of a tensor are results of GEMMs, and `tensor.insert_slice` ops
    put them side by side along a dimension, the pass replaces these ops by one
    `tensor.concat`. The concatenation is not a kernel: `launch-form-plans`
    makes each result a part of a single buffer. A kernel that reads the whole
    tensor waits for the launches of all parts.

    The pass does this only under three conditions. Each result, perhaps
    reshaped, is in no other concatenation. Only GEMMs and attention read it
    besides. The rows of each part begin and end at multiples of 16 bytes. Other
    insertions are left to `scop`, which copies.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<784x192xf16>
    %0 = tensor.insert_slice %a into %e[0, 0] [784, 64] [1, 1] : ...
    %1 = tensor.insert_slice %b into %0[0, 64] [784, 128] [1, 1] : ...
    ```

    becomes, if `%a` and `%b` are results of GEMMs,

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

def TGemmFuseAllReduce
    : Pass<"tgemm-fuse-all-reduce", "::mlir::ModuleOp"> {
  let summary = "let the kernels of products sum their results over ranks";
  let description = [{
    If only a `collective.all_reduce` reads the result of a `tgemm.matmul`,
    perhaps reshaped, the product gets its ranks and channel, and the op goes.
    The product's kernel then sends each tile to the other ranks as soon as it
    is computed, while other tiles are computed. The numbers are the same.

    The pass does nothing if the target has no such kernels. It leaves products
    alone that have a batch, or rows that are no multiple of 16 bytes.

    Example:

    ```mlir
    %0 = tgemm.matmul %x, %w : tensor<64x256xbf16>, tensor<256x512xbf16>
      -> tensor<64x512xbf16>
    %1 = collective.all_reduce %0 ranks 4 channel 0 : tensor<64x512xbf16>
    ```

    becomes

    ```mlir
    %1 = tgemm.matmul %x, %w {sum_channel = 0, sum_ranks = 4}
      : tensor<64x256xbf16>, tensor<256x512xbf16> -> tensor<64x512xbf16>
    ```
  }];
  let statistics = [
    Statistic<"numFused", "fused", "All-reduces that products compute">
  ];
}

def TGemmSplitHalves
    : Pass<"tgemm-split-halves", "::mlir::func::FuncOp"> {
  let summary = "compute stacked halves of gated layers as two products";
  let description = [{
    The experts of many models have their gate and their other matrix stacked in
    one tensor: half of the columns of the product pass through an activation,
    and are multiplied by the other half. This pass makes two products of such a
    `tgemm.grouped_matmul`, each with a slice of the matrices. Then
    `convert-linalg-to-tgemm` makes one product of them with two `rhs`, whose
    epilogue computes activation and product, so the halves are never stored.

    The pass leaves products alone that have a tiling, whose halves no
    elementwise op combines, or whose second half would begin within the 16
    bytes that GPUs load at once.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Products of which halves are computed">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def TGemmFuseHorizontally : Pass<"tgemm-fuse-horizontally"> {
  let summary = "launch products side by side";
  let description = [{
    Independent GEMMs may be small: for example, queries, keys and values are
    GEMMs with one `lhs`, and an inception module has several branches of
    convolutions. Each of them alone fills only a part of the GPU. If the model
    of the target says that a single launch of several GEMMs is faster, this
    pass moves them, and the ops that they need, to the first of them. It gives
    them tilings that fit into one kernel, and sets `launched_with_next` on each
    GEMM but the last.

    First, GEMMs with one `lhs` that differ only in their columns and epilogues
    get a common tiling: the best one for a GEMM with the columns of all. Then
    independent GEMMs join one after another, each with a tiling of its own.
    GEMMs that already have a tiling never join. With `record-origins`, each op
    gets an attribute that says where its tiling comes from.
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
    GPU, a model of the target chooses tile, cluster and stages. It estimates
    the time of the waves of tiles: a step takes as long as its MMAs, or as its
    loads from the last-level cache (docs/CostModel.md). On a CPU, tiles are 64
    elements wide, and smaller for small GEMMs.

    `mode` says how the GEMMs of a function will run, as for
    `tsync-form-chains`. In mode `persistent`, the pass chooses tilings such
    that one kernel can compute all GEMMs. In mode `auto`, the pass chooses a
    mode for each function, and stores it in the attribute `tsync.execution`:

    - `pdl`, unless the model says that another mode is faster. Each edge has
      its own mode if some kernels start in order.
    - `serial` or `persistent`.
    - `overlap`, with a mode for each edge (see `tsync-select-edge-modes`).

    In modes `persistent` and `overlap`, tiles of the next GEMM can use
    processors that the last of several waves leaves idle. If there is no model
    of times, as on a CPU, the mode is `persistent`.

    `tuning` names a file with measured times (docs/Tuning.md). The file is a
    database of grout-tune if it begins as SQLite files do, and JSON lines
    otherwise. The pass takes the fastest entry for all GEMMs of the function in
    this mode. In mode `auto` it takes the fastest entry in any mode, which
    becomes the function's mode. Without such an entry, it takes the fastest
    entry of each GEMM, unless several GEMMs must fit into one kernel. Without
    any entry, the model chooses. Entries that the target cannot compute are
    left out with a warning; a damaged file is an error.

    With `record-origins`, each op gets an attribute that says where its tiling
    comes from, for explanations.

    A tiling that is there already is kept. The pass checks each tiling against
    the target's limits: the sizes of its MMA instructions, the accumulators of
    a thread, and shared memory.
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
    Sets `tiling` on every `tgemm.attention` without one, as the target says. On
    Hopper, the choice depends on the size of heads and the number of tiles. On
    a CPU, tiles have 64 rows and steps of 64 keys. A tiling that is there
    already is kept. The pass checks each tiling against the limits of the
    target. On some targets, such as Hopper, a kernel has either tiles of GEMMs
    or tiles of a single attention. There the op also gets `tsync.own_launch`.

    `mode` says how the kernels of a function will run, as for
    `tgemm-assign-tiling`. That pass comes first, and chooses the mode if the
    function has GEMMs. If a function has only attention with launches of its
    own, this pass chooses: `pdl` if the target has it, otherwise `serial`.
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
    Attention may have few tiles and many keys: then even clusters that split
    the keys of a tile fill only some of a GPU's processors. If the target says
    so (`AttentionModel`), this pass cuts the keys into parts. For each part,
    one op computes the sums, the largest scores and the sums of exponentials
    (`part_keys`). A linalg.generic, which becomes a memory-bound kernel, joins
    the parts (FlashDecoding, Dao et al., 2023). The pass leaves attention alone
    that has a tiling.

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
    An f32 number is the sum of three bf16 numbers, called pieces: the number
    rounded to bf16, the rest rounded to bf16, and the rest of that, which has
    at most the 8 bits of a bf16. So a product of two numbers is a sum of
    products of pieces. `bf16x6` adds the six products that are not smaller than
    the rounding error of f32, `bf16x3` the three largest, and `bf16` only the
    largest (Henry, Tang and Heinecke, ARITH 2019). The pass puts the pieces one
    after the other along K, beginning with the pieces of the smallest products.
    So the GEMM becomes a GEMM with 6, 3 or 1 times the K, still summed in f32.

    | | relative error of a term | time |
    |---|---|---|
    | `bf16x6` | 2^-25 | 6 |
    | `bf16x3` | 2^-17 | 3 |
    | `bf16` | 2^-8 | 1 |

    With `auto`, the pass splits GEMMs by `bf16x6`, and only for targets that do
    not multiply f32. With `exact`, it splits none. GEMMs that are in chains
    already stay as they are.

    Operands may be f16 or bf16 numbers that have only been widened to f32, and
    maybe reshaped, sliced or transposed since. Such operands are not split: the
    GEMM multiplies the original numbers, which loses nothing. This holds for
    all choices, also for `exact`.

    Infinities become NaN, because their pieces are inf and inf - inf. So do
    numbers beyond 3.39e38, the largest bf16 number. Pieces of numbers below
    1e-33 may be too small for bf16.

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
    stream-K parts, and makes its result an operand of that `tgemm.matmul`. Both
    ops are then tile kernels. Dependences between them are derived and proved
    like all others.
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Products whose parts become tiles">
  ];
}

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_TD
