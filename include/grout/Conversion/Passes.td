//===- Passes.td - Conversions -----------------------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_PASSES_TD
#define GROUT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToReference : Pass<"convert-linalg-to-reference",
                                    "::mlir::ModuleOp"> {
  let summary = "make a plain higher-precision plan of every function";
  let description = [{
    For every public function of linalg on tensors, adds a module of kernels
    that compute it one element at a time, in f64 for the CPU and f32 for a GPU,
    and the `launch.plan` that runs them, marked `reference`. It starts from
    linalg, and shares nothing with the tiled kernels, so that it can check
    them; ops of `tgemm`, and of other compilers, that say what they consist of
    (`AggregatedOpInterface`) are that, and statements of `scop.kernel` are
    linalg, in chains or not. The function itself is left alone. Where an op has
    no plain form, there is no plan, and a remark says why.

    Where the function rounds to f16 or bf16, in an operation or a cast, so does
    the plan; but sums of these types, as linalg-widen-accumulators would find
    them, and those of matrix products are rounded when they are complete.
  }];
  let options = [
    Option<"strictTypes", "strict-types", "bool", /*default=*/"false",
           "Round sums of f16 and bf16 at each term, but those of matrix "
           "products">,
    Option<"f32Products", "f32-products", "::grout::tgemm::F32Products",
           /*default=*/"::grout::tgemm::F32Products::Auto",
           "As what products of f32 are computed; the reference rounds nothing, "
           "but says how exact they are",
           "::grout::tgemm::getF32ProductsValues()">,
  ];
  let dependentDialects = [
    "::grout::launch::LaunchDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::gpu::GPUDialect",
    "::mlir::NVVM::NVVMDialect"];
}

def ConvertLinalgToAttention : Pass<"convert-linalg-to-attention",
                                    "::mlir::func::FuncOp"> {
  let summary = "turn attention in linalg into tgemm.attention";
  let description = [{
    Looks for a product of which a factor is the softmax of another product, and
    replaces both, and what is between them, by one `tgemm.attention`. It follows
    what single elements are computed by, so that neither the spelling of
    products and elementwise ops nor their number matters, nor transposes,
    broadcasts and reshapes between them.

    - Queries, keys and values are read where they are, through transposes and
      splits of heads, as `layouts`; heads of keys that are repeated for several
      heads of queries, before that. The result is written as what follows
      transposes and rounds it.
    - Constants that scale the product, or queries or keys before, are `scale`.
    - Scores that are replaced by minus infinity, or by a number up to -1e4,
      where not j <= i + c are `causal`. By any other condition, and what is
      added to scores, are the bias: a tensor that is there, or a linalg.generic
      over the dimensions that it depends on. So are causal masks by a number
      where something else may hide all keys that they leave in a row.
    - The softmax is `linalg.softmax`, or exponentials over their sum, of which
      the division may come after the product. What is subtracted from the scores
      of a row does not matter.
    - Rows without any finite score are NaN, or, where selections by the row's
      largest score, sum or scores make them 0, `zero_without_keys`.

    Left alone are softmaxes over something else than the summed up dimension,
    scores that are another function of the product (soft caps), scores or
    probabilities that are needed elsewhere, softmaxes that make something else
    of rows without keys, unless each row has one, products with `tgemm.tiling`,
    and what the target has no kernels for (`AttentionModel`); all of a target
    without such a model.

    Sums and exponentials are computed in f32, also where the ops of linalg round
    them to f16 or bf16. A row in which all scores are replaced by a very low
    number has equal weights, as it has in linalg.
  }];
  let statistics = [
    Statistic<"numAttentions", "attentions", "Attentions that are converted">
  ];
  let dependentDialects = [
    "::grout::tgemm::TGemmDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToConv2d : Pass<"convert-linalg-to-conv2d",
                                 "::mlir::func::FuncOp"> {
  let summary = "turn 2-D convolutions in linalg into tgemm.conv2d";
  let description = [{
    Converts named convolutions and `linalg.generic` over images by rows and
    columns, of f16, bf16 or f32, with one or more groups of channels and
    dimensions in any order. The op has channels last, so that others are
    transposed before and after it; `linalg-sink-transposes` then moves transposes behind
    elementwise ops, where they meet and cancel. The result is a matrix of
    pixels by features, which a `tensor.expand_shape` makes images of.

    - Zeros that `tensor.pad` adds around images are its padding.
    - What the sums start from, unless it is zero, is added by a
      `linalg.generic` that reads a broadcast bias where it is.
    - An attribute `tgemm.tiling` is its tiling.

    Left alone are depthwise convolutions, which are bound by memory, integers,
    and convolutions that leave out pixels which their input has; and all for a
    target without a `ProductModel`.
  }];
  let statistics = [
    Statistic<"numConvolutions", "convolutions", "Convolutions that are "
              "converted">
  ];
  let dependentDialects = [
    "::grout::tgemm::TGemmDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToMatvec : Pass<"convert-linalg-to-matvec",
                                 "::mlir::func::FuncOp"> {
  let summary = "turn products of one row on GPUs into linalg.matvec";
  let description = [{
    A product of one row does nothing but read its other factor. Where that has
    the elements of a column next to each other, a kernel of scop reads it as fast
    as memory is, and takes 0.5 to 1.3 us less than a tile kernel of Hopper, which
    hands over from role to role: a fifth to a third of the time of a small
    product. So it becomes a `linalg.matvec`, which sums up in f32 at least, for
    `convert-linalg-to-scop`.

    Example: one token and a layer's weights.

    ```mlir
    %y = linalg.matmul indexing_maps = [
        affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<1x768xf16>, tensor<2304x768xf16>)
      outs(%zero : tensor<1x2304xf32>) -> tensor<1x2304xf32>
    // becomes
    %v = linalg.matvec ins(%w, %row : tensor<2304x768xf16>, tensor<768xf16>)
      outs(%zeros : tensor<2304xf32>) -> tensor<2304xf32>
    ```

    Left alone are products with a `tgemm.tiling`, of several rows, with other
    layouts or an initial value, those that read more than 16 MiB, and all for a
    target without warps.
  }];
  let statistics = [
    Statistic<"numProducts", "products", "Products that are converted">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToTGemm : Pass<"convert-linalg-to-tgemm",
                                "::mlir::func::FuncOp"> {
  let summary = "turn linalg contractions and the elementwise ops around them "
                "into tgemm";
  let description = [{
    Converts `linalg.matmul`, `linalg.batch_matmul`, `linalg.contract` and
    `linalg.generic` contractions of f16, bf16 or f32, with either operand
    transposed and the rhs shared by a batch. Transposes and broadcasts of the
    operands move into the op. Sums are made in f32, also where the op's body
    makes them in f16 or bf16; they are rounded to that type once.

    What a sum starts from, unless it is zero, is added in the epilogue, and so
    are the elementwise ops that follow: bias, activations, residual, scale,
    cast. A value that is used elsewhere ends the epilogue, so that no product
    is computed twice. Where elementwise ops combine products of one lhs, as in
    gated layers, they become one op with an accumulator for each. Elementwise
    ops that compute epilogue inputs move in as well. Casts stay as written.

    A `tgemm.conv2d` without an epilogue gets one in the same way. With a filter
    of one element, and neither strides nor padding, it becomes a
    `tgemm.matmul`.

    A contraction with an attribute `tgemm.tiling` gives it to its product.
    Products that ask for different tilings do not become one op.

    An op that cannot be converted stays, with a remark that says why; where
    ops that are bound by memory are lowered by other passes, without
    `remark-memory-bound`, only what is bound by arithmetic gets one.
    Contractions with dynamic shapes, of other element types, or onto undefined
    elements are errors.
  }];
  let statistics = [
    Statistic<"numProducts", "products", "Products that are converted">,
    Statistic<"numEpilogueOps", "epilogue-ops", "Ops that move into epilogues">
  ];
  let options = [
    Option<"remarkMemoryBound", "remark-memory-bound", "bool",
           /*default=*/"true",
           "Remark on ops that stay and are bound by memory, too">,
  ];
  let dependentDialects = [
    "::grout::tgemm::TGemmDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertLinalgToScop : Pass<"convert-linalg-to-scop",
                               "::mlir::func::FuncOp"> {
  let summary = "turn memory-bound linalg ops into fused scop kernels";
  let description = [{
    Converts every op of linalg that is no matrix product or convolution:
    `linalg.generic`, named elementwise ops, `transpose`, `broadcast`, `reduce`,
    `fill`, `softmax`, pooling. Ops of one block that are joined by producers
    and consumers, also through `tensor.expand_shape`, `collapse_shape` and
    `extract_slice`, become the statements of one `scop.kernel`, unless an op
    that is not converted lies between them. A `linalg.transpose` stays apart
    from a reduction that reads its elements 16 times or more, as a depthwise
    convolution does with its weights. A tensor that is used outside of
    its kernel is a result of it; any other is a `scop.local`. `tensor.pad` and
    `tensor.insert_slice` are a statement each, which selects.

    Reductions whose body is one commutative and associative operation are
    marked as such; others keep the order of their loops.

    Matrix products and convolutions stay, with a remark. Dynamic extents,
    padding and slices, padding that is not one value, elements that are neither
    integers nor floats, reads at indices that are not affine, and tensors or
    loops of more than 2^63 elements are errors.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that are formed">
  ];
  let options = [
    Option<"maxStatements", "max-statements", "unsigned", /*default=*/"64",
           "Ops of linalg that one kernel holds at most">,
    Option<"keepTiled", "keep-tiled", "bool", /*default=*/"false",
           "Leave ops alone that have a tile shape (grout.tile_sizes), and what "
           "only fills their outputs">,
  ];
  let dependentDialects = [
    "::grout::scop::ScopDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertScopToLoops : Pass<"convert-scop-to-loops",
                              "::mlir::func::FuncOp"> {
  let summary = "lower scheduled scop kernels on memrefs to loops";
  let description = [{
    Replaces every `scop.kernel` by the loops that execute its statements in the
    order of its schedule, as isl generates them, with the statements' regions
    in between. The schedule is proved before. A local loses the dimensions of
    which every iteration of the loops around its accesses needs one index only;
    what is left is on the stack if it is small, and on the heap otherwise.

    A dimension with a vector width becomes a loop over vectors and a loop over
    the iterations that are left. An access is one of a vector, and says its
    alignment, only where isl proves that the lanes access neighbouring elements
    from an address that is a multiple of the vector's size; otherwise it is
    done lane by lane. A remark says what is not vectorised at all, and why.
  }];
  let options = [
    Option<"baseAlignment", "base-alignment", "int64_t", /*default=*/"64",
           "What the addresses of all arrays are multiples of, in bytes">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def ConvertTilesToKernels
    : Pass<"convert-tiles-to-kernels", "::mlir::ModuleOp"> {
  let summary = "make the kernels of the launches of plans";
  let description = [{
    Replaces every `launch.tiles` of a plan by a `launch.kernel` with the same
    edges, and adds a module of kernels beside each plan. The target's generators
    (`LaunchGenerators`) make them; a launch that none of them handles is
    refused, and so is one that needs more resident tiles than the target holds
    of its kernel.

    - On a CPU, each tile kernel becomes a tile body: loops over the tile's
      elements, with `tsync.wait` before and `tsync.post` after, as
      docs/KernelABI.md says. Those of a `scop.kernel` are what isl makes of its
      schedule.
    - On Hopper, the products of a launch become a kernel with a producer
      warpgroup that feeds a ring of shared-memory stages by TMA loads, consumer
      warpgroups on `wgmma`, and an epilogue; see docs/HopperKernels.md.
    - On a GPU, `scop.kernel` ops become a kernel in which coincident outer loops
      of the schedule are shared out to blocks, and loops within them to the
      threads of a block, phase by phase; see docs/ScopKernels.md.
  }];
  let dependentDialects = [
    "::grout::launch::LaunchDialect", "::grout::tsync::TSyncDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::affine::AffineDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def ConvertTSyncToCPU : Pass<"convert-tsync-to-cpu"> {
  let summary = "lower tsync.wait and tsync.post to calls of the runtime";
  let description = [{
    The calls go through the function pointers of `grout_tile_context`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertTSyncToNVVM : Pass<"convert-tsync-to-nvvm"> {
  let summary = "lower tsync.wait and tsync.post to PTX";
  let description = [{
    The one place that spells out memory order, scope and proxy in PTX: polls
    with `ld.acquire`, posts with `red.release`, and the cross-proxy fences.

    With `debug-sync-milliseconds` a wait gives up after that time: it records
    what it waits for in the synchronisation state and goes on as if it had
    ended, so that the kernel ends. Launches of such kernels say so. See
    docs/HopperSynchronisation.md.
  }];
  let options = [
    Option<"debugSyncMilliseconds", "debug-sync-milliseconds", "unsigned",
           /*default=*/"0",
           "Give up waiting after so many milliseconds; 0 means never">,
  ];
  let dependentDialects = ["::grout::launch::LaunchDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // GROUT_CONVERSION_PASSES_TD
