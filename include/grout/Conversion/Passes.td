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
    that compute it one element at a time, in f64 for the CPU and f32 for a GPU.
    Also adds the `launch.plan` that runs these kernels, marked `reference`. The
    pass starts from linalg, and shares nothing with the tiled kernels, so that
    the plan can check them. It leaves the function itself alone.

    Ops of `tgemm`, and of other compilers, may say of which ops they consist
    (`AggregatedOpInterface`); the plan then computes those ops. It computes
    statements of `scop.kernel` as linalg, in chains or not. Ops of
    `collective` stay, so the plan runs on all ranks. If an op has no plain
    form, there is no plan, and a remark says why.

    Where the function rounds to f16 or bf16, in an operation or a cast, the
    plan rounds, too. But it rounds sums of these types, as
    linalg-widen-accumulators would find them, and sums of matrix products only
    when they are complete.
  }];
  let options = [
    Option<"strictTypes", "strict-types", "bool", /*default=*/"false",
           "Round sums of types narrower than f32 at each term, but those of "
           "matrix products">,
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
    Looks for a GEMM with an operand that is the softmax of another GEMM.
    Replaces both GEMMs, and the ops between them, by one `tgemm.attention`. The
    pass follows the computation of single elements. So it does not matter how
    GEMMs and elementwise ops are spelled, how many ops there are, or which
    transposes, broadcasts and reshapes lie between them.

    - Queries, keys and values are read where they are, through transposes and
      splits of heads, as `layouts`. If heads of keys are repeated for several
      heads of queries, they are read before the repetition. The result is
      written in the layout and the type to which the following ops transpose
      and round it.
    - Constants that scale the first GEMM, or the queries or keys before it,
      become `scale`.
    - Scores that are replaced by minus infinity, or by a number up to -1e4,
      where not j <= i + c, become `causal`. Scores that are replaced under any
      other condition, and terms that are added to scores, become the bias. The
      bias is an existing tensor, or a linalg.generic over the dimensions on
      which it depends. A causal mask by a number becomes part of the bias, too,
      if other masks may hide all keys that it leaves in a row.
    - The softmax is `linalg.softmax`, or exponentials divided by their sum. The
      division may come after the second GEMM. It does not matter which number
      is subtracted from the scores of a row.
    - Rows without any finite score are NaN. If selections by the row's largest
      score, sum or scores make them 0, the op has `zero_without_keys`.

    The pass leaves these alone:

    - softmaxes over another dimension than the second GEMM sums up;
    - scores that are another function of the first GEMM (soft caps);
    - scores or probabilities that other ops need;
    - softmaxes that give rows without keys other values, unless each row has a
      key;
    - GEMMs with `tgemm.tiling`;
    - attention for which the target has no kernels (`AttentionModel`), and all
      attention if the target has no such model.

    Sums and exponentials are computed in f32, even if the linalg ops round them
    to f16 or bf16. A row in which all scores are replaced by a very low number
    has equal weights, as it has in linalg.
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
    dimensions in any order. A `tgemm.conv2d` has channels last, so images in
    another order are transposed before and after it. `linalg-sink-transposes`
    then moves transposes behind elementwise ops, where they meet and cancel.
    The result is a matrix of pixels by features, which a `tensor.expand_shape`
    turns into images.

    - Zeros that `tensor.pad` adds around images become its padding.
    - If sums do not start from zero, a `linalg.generic` adds the start. It
      reads a broadcast bias where it is.
    - An attribute `tgemm.tiling` becomes its tiling.

    The pass leaves alone depthwise convolutions, which are bound by memory,
    convolutions of integers, and convolutions that leave out pixels of their
    input. It converts nothing if the target has no `ProductModel`.
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
    A GEMM with one row does little more than read operand B. If the elements of
    a column are neighbours in memory, a scop kernel reads operand B as fast as
    memory allows. So the pass turns the GEMM into a `linalg.matvec` for
    `convert-linalg-to-scop`, which sums up in f32 at least. Measurements: this
    takes 0.5 to 1.3 us less than a tile kernel for Hopper, which hands over
    data from role to role. That is a fifth to a third of the time of a small
    GEMM.

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

    The pass leaves alone GEMMs with a `tgemm.tiling`, with several rows, with
    other layouts, or with an initial value. It also leaves alone GEMMs whose
    operand B has more bytes than the target's `maxMatvecBytes`: 16 MiB for
    Grout's GPUs, and 0 for its CPU.
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
    `linalg.generic` contractions of f16, bf16 or f32. Either operand may be
    transposed, and a batch may share the rhs. Transposes and broadcasts of the
    operands move into the op. Sums are made in f32, even if the op's body makes
    them in f16 or bf16; they are rounded to that type once.

    If a sum does not start from zero, the epilogue adds the start. The
    elementwise ops that follow move into the epilogue, too: bias, activations,
    residual, scale, cast. A value that is used elsewhere ends the epilogue, so
    that no GEMM is computed twice. If elementwise ops combine GEMMs with the
    same lhs, as in gated layers, these GEMMs become one op with an accumulator
    for each. Elementwise ops that compute epilogue inputs move in as well.
    Casts stay as written.

    A `tgemm.conv2d` without an epilogue gets one in the same way. With a filter
    of one element, and neither strides nor padding, it becomes a
    `tgemm.matmul`.

    A contraction with an attribute `tgemm.tiling` gives it to its op. GEMMs
    that ask for different tilings do not become one op.

    An op that cannot be converted stays, with a remark that says why. If other
    passes lower memory-bound ops, set `remark-memory-bound` to false: then only
    ops that are bound by arithmetic get a remark. Contractions with dynamic
    shapes, of other element types, or onto undefined elements are errors.
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
    Converts every linalg op that is not a GEMM or a convolution:
    `linalg.generic`, named elementwise ops, `transpose`, `broadcast`, `reduce`,
    `fill`, `softmax`, pooling. Ops of one block that are connected as producers
    and consumers become the statements of one `scop.kernel`, unless an op that
    is not converted lies between them. They may be connected through
    `tensor.expand_shape`, `collapse_shape` and `extract_slice`. A
    `linalg.transpose` stays apart from a reduction that reads its elements 16
    times or more, as a depthwise convolution reads its weights. A tensor that
    is used outside of its kernel is a result of the kernel; any other tensor is
    a `scop.local`. `tensor.pad` and `tensor.insert_slice` become a statement
    each, which selects.

    Reductions whose body is one commutative and associative operation are
    marked as such. Other reductions keep the order of their loops.

    GEMMs and convolutions stay, with a remark. These are errors: dynamic
    extents, padding and slices; padding that is not one value; elements that
    are neither integers nor floats; reads at indices that are not affine; and
    tensors or loops of more than 2^63 elements.
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
    Replaces every `scop.kernel` by loops that execute its statements in the
    order of its schedule. isl generates the loops, and the statements' regions
    lie inside. The schedule is proved before. A local loses each dimension of
    which every iteration of the loops around its accesses needs only one index.
    The remaining local is on the stack if it is small, and on the heap
    otherwise.

    A dimension with a vector width becomes a loop over vectors and a loop over
    the remaining iterations. An access becomes a vector access, with its
    alignment, only if isl proves two facts: the lanes access neighbouring
    elements, and the address is a multiple of the vector's size. Otherwise the
    lanes make the access one by one. Remarks say which dimensions and
    statements are not vectorised at all, and why.
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
    edges, and adds a module of kernels beside each plan. The target's
    generators (`LaunchGenerators`) make the kernels. The pass refuses a launch
    that no generator handles, and a launch that needs more resident tiles than
    the target holds of its kernel.

    - On a CPU, each tile kernel becomes a tile body: loops over the tile's
      elements, with `tsync.wait` before and `tsync.post` after, as
      docs/KernelABI.md says. For a `scop.kernel`, isl generates the loops from
      its schedule.
    - On Hopper, the GEMMs of a launch become one kernel. It has a producer
      warpgroup that feeds a ring of shared-memory stages by TMA loads, consumer
      warpgroups that use `wgmma`, and an epilogue; see docs/HopperKernels.md.
    - On a GPU, `scop.kernel` ops become one kernel. Coincident outer loops of
      the schedule are distributed to blocks, and loops within them to the
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

def LaunchMergeKernels : Pass<"launch-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "launch one function where kernels are equal";
  let description = [{
    For example, the blocks of a residual network need the same kernels again
    and again, on other buffers. Kernels are equal if their functions are the
    same op by op, and if their launches have the same block size, cluster size
    and shared memory. The launches then name the first of these functions, and
    the others are erased. So a model takes less time to compile and to load.

    Only kernels in a `gpu.module` are merged. Functions that use a global other
    than shared memory are equal only if it is the same global.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Functions that are erased">
  ];
}

def GPUTraceBlocks : Pass<"gpu-trace-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let the blocks of kernels record their times";
  let description = [{
    Each block records when its first thread began, and when its last warp
    ended, in the form that docs/KernelABI.md describes. Kernels that already
    record the times of their tiles, because the module has `grout.trace`, stay
    as they are.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def ConvertTSyncToCPU : Pass<"convert-tsync-to-cpu"> {
  let summary = "lower tsync.wait and tsync.post to calls of the runtime";
  let description = [{
    The calls go through the function pointers of `grout_tile_context`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertTSyncToNVVM : Pass<"convert-tsync-to-nvvm"> {
  let summary = "lower waits and posts to PTX";
  let description = [{
    This pass is the only place that determines memory order, scope and proxy in
    PTX: it emits polls with `ld.acquire`, posts with `red.release`, and the
    cross-proxy fences.

    With `debug-sync-milliseconds`, a wait gives up after that time. It then
    records in the synchronisation state which semaphore or rank it waits for,
    and goes on as if the wait had ended, so that the kernel ends. Launches of
    such kernels have an attribute that says so. If no kernel waits, a remark
    says so. See docs/HopperSynchronisation.md.
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
