//===- KernelPlan.cpp - The shape of a Hopper kernel ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"

#include "DeviceBuilder.h"
#include "EpilogueMath.h"
#include "TensorMaps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// A stage is freed only after the next one's products are issued, so fewer
/// than two would wait for themselves.
static constexpr int64_t kMinStages = 2;
/// Bounds the space that barriers take.
static constexpr int64_t kMaxStages = 16;
/// Staging buffers of a warpgroup: one is filled while the other is written.
static constexpr int64_t kStagingBuffers = 2;
/// Bytes of a task.
static constexpr int64_t kTaskBytes = 16;
/// Registers that a consumer needs besides its accumulators.
static constexpr int64_t kOtherRegisters = 32;
/// Registers that one wgmma needs besides its accumulators, as ptxas says.
static constexpr int64_t kProductRegisters = 26;
/// Registers of a multiprocessor.
static constexpr int64_t kRegisters = 65536;
/// Bytes of shared memory that the system takes for each block.
static constexpr int64_t kSystemSharedBytes = 1024;

//===----------------------------------------------------------------------===//
// Derived quantities
//===----------------------------------------------------------------------===//

int64_t BodyPlan::getStepBytes(Loader loader) const {
  int64_t bytes = 0;
  for (const FactorPlan &factor : factors)
    if (factor.loader == loader)
      bytes += factor.chunkBytes * getChunksPerStep();
  return bytes;
}

int64_t BodyPlan::getNumAccumulators() const {
  return rowBlocks * getNumProducts() * tiling.getN() / 2;
}

int64_t KernelPlan::getBlocksPerProcessor(int64_t sharedMemory) const {
  int64_t byRegisters = kRegisters / (getBlockSize() * registers.initial);
  int64_t byMemory =
      (sharedMemory + kSystemSharedBytes) / (sharedBytes + kSystemSharedBytes);
  return std::min(byRegisters, byMemory);
}

int64_t BodyPlan::getInputRegisters() const {
  // A thread has two columns of each group of 8, in two rows.
  int64_t groups = result.columns / 8;
  int64_t count = 0;
  for (const InputPlan &input : inputs)
    if (input.columnStride)
      count += groups * (input.rowStride ? 2 : 1) *
               (input.readsPairs && !input.elementType.isF32() ? 1 : 2);
  return count;
}

/// Registers of a thread for blocks with `warpgroups` consumer warpgroups,
/// whose products have up to `columns` columns. A warpgroup's registers come in
/// steps of 8 a thread, and all warpgroups together may use no more than at the
/// start. Those at the start must be enough for one product, too.
static FailureOr<RegisterPlan> getRegisters(int64_t warpgroups,
                                            int64_t columns) {
  int64_t product = llvm::alignTo(columns / 2 + kProductRegisters, 8);
  switch (warpgroups) {
  case 1:
    // Two blocks fit on a multiprocessor, unless products are large.
    if (product <= 128)
      return RegisterPlan{/*initial=*/128, /*producer=*/40, /*consumer=*/216};
    return RegisterPlan{/*initial=*/160, /*producer=*/40, /*consumer=*/232};
  case 2:
    return RegisterPlan{/*initial=*/168, /*producer=*/40, /*consumer=*/232};
  case 3:
    if (product <= 128)
      return RegisterPlan{/*initial=*/128, /*producer=*/32, /*consumer=*/160};
    return failure();
  }
  llvm_unreachable("a block has one to three consumer warpgroups");
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// How the rows of a tile are shared out.
static LogicalResult planRows(BodyPlan &body) {
  switch (body.tiling.getM()) {
  case 64:
  case 128:
  case 192:
    body.warpgroups = body.tiling.getM() / kMmaRows;
    body.rowBlocks = 1;
    return success();
  case 256:
    body.warpgroups = 2;
    body.rowBlocks = 2;
    return success();
  }
  return failure();
}

static LogicalResult checkTypes(tgemm::MatmulOp op) {
  if (!op.getInputElementType().isF16() && !op.getInputElementType().isBF16())
    return op.emitOpError()
           << "cannot be compiled for h200: its factors are "
           << op.getInputElementType() << ", but must be f16 or bf16";
  return success();
}

static LogicalResult checkTiling(tgemm::MatmulOp op, BodyPlan &body) {
  auto refuse = [&]() {
    return op.emitOpError("cannot be compiled for h200: ");
  };
  std::optional<tgemm::TilingAttr> tiling = op.getTiling();
  if (!tiling)
    return refuse() << "it has no tiling; run tgemm-assign-tiling";
  body.tiling = *tiling;
  if (failed(planRows(body)))
    return refuse() << "its tiles have " << tiling->getM()
                    << " rows, but must have 64, 128, 192 or 256";
  if (tiling->getN() % 16 != 0 || tiling->getN() > 256)
    return refuse() << "its tiles have " << tiling->getN()
                    << " columns, but must have a multiple of 16 up to 256";
  if (tiling->getK() % kChunk != 0)
    return refuse() << "its steps have " << tiling->getK()
                    << " elements, but must have a multiple of " << kChunk;
  return success();
}

static FailureOr<BodyPlan> planBody(tgemm::MatmulOp op,
                                    const SemaphoreLayout &layout,
                                    KernelParams &params, PlanBuilder &plan) {
  BodyPlan body;
  body.op = op;
  if (failed(checkTypes(op)) || failed(checkTiling(op, body)) ||
      failed(checkEpilogue(op)))
    return failure();
  body.grid = *op.getTileGrid();
  body.steps = op.getStepCount();
  body.waits = llvm::to_vector(layout.getWaits(op));
  body.posts = llvm::to_vector(layout.getPosts(op));

  // Where no factor waits, both loaders share the work.
  auto waits = [&](unsigned operand) {
    return needsLaunchesBefore(op, operand) ||
           llvm::any_of(body.waits, [&](const SemaphoreWait &wait) {
             return wait.operand == operand;
           });
  };
  unsigned numFactors = 1 + op.getNumProducts();
  bool anyWaits = llvm::any_of(llvm::seq<unsigned>(numFactors), waits);
  for (unsigned operand = 0, e = op->getNumOperands(); operand != e; ++operand)
    if (needsLaunchesBefore(op, operand))
      (operand < numFactors ? body.factorsNeedLaunches
                            : body.inputsNeedLaunches) = true;
  auto getLoader = [&](unsigned operand) {
    bool isWaiting = anyWaits ? waits(operand) : operand == 0;
    return isWaiting ? Loader::waiting : Loader::independent;
  };

  FailureOr<FactorPlan> lhs = planFactor(params, plan, op, op.getLhs(), "lhs",
                                         /*mnDim=*/op.getTransposeLhs() ? 1 : 0,
                                         body.tiling.getM(), getLoader(0));
  if (failed(lhs))
    return failure();
  body.factors.push_back(*lhs);
  for (auto [index, operand] : llvm::enumerate(op.getRhs())) {
    FailureOr<FactorPlan> rhs =
        planFactor(params, plan, op, operand, "rhs " + Twine(index),
                   /*mnDim=*/op.getTransposeRhs() ? 0 : 1, body.tiling.getN(),
                   getLoader(1 + index));
    if (failed(rhs))
      return failure();
    body.factors.push_back(*rhs);
  }
  int64_t offset = 0;
  for (FactorPlan &factor : body.factors) {
    factor.offset = offset;
    offset += factor.chunkBytes * body.getChunksPerStep();
  }

  FailureOr<ResultPlan> result =
      planResult(params, plan, op, body.tiling.getN());
  if (failed(result))
    return failure();
  body.result = *result;
  for (unsigned index = 0, e = op.getEpilogueInputs().size(); index != e;
       ++index) {
    FailureOr<InputPlan> input = planInput(params, plan, op, index);
    if (failed(input))
      return failure();
    body.inputs.push_back(*input);
  }
  return body;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Bytes of a step of `body` in shared memory.
static int64_t getStageBytes(const BodyPlan &body) {
  return body.getStepBytes(Loader::independent) +
         body.getStepBytes(Loader::waiting);
}

/// Lays out shared memory: as many stages as the tilings ask for and as fit
/// beside the staging buffers.
static LogicalResult planSharedMemory(KernelPlan &kernel,
                                      int64_t sharedMemory) {
  BodyPlan *largest = nullptr;
  kernel.stages = kMaxStages;
  for (BodyPlan &body : kernel.bodies) {
    if (getStageBytes(body) > kernel.stageBytes) {
      kernel.stageBytes = getStageBytes(body);
      largest = &body;
    }
    kernel.stages = std::min(kernel.stages, body.tiling.getStages());
  }
  kernel.stages = std::max(kernel.stages, kMinStages);

  // Staging in the ring takes the rows of lhs that a warpgroup has to itself.
  int64_t buffersInRing = kStagingBuffers;
  for (const BodyPlan &body : kernel.bodies)
    buffersInRing = std::min(buffersInRing, body.rowBlocks);

  auto layOut = [&](int64_t buffers, bool isInRing) {
    kernel.stagingBuffers = buffers;
    kernel.isStagedInRing = isInRing;
    kernel.stagingOffset = kernel.stages * kernel.stageBytes;
    kernel.barrierOffset = kernel.stagingOffset;
    if (!isInRing)
      kernel.barrierOffset += kernel.warpgroups * buffers * kStagingBytes;
    // A full and an empty barrier for each stage, the task, and each buffer.
    int64_t barriers = 2 * (kernel.stages + 1 + kernel.warpgroups * buffers);
    kernel.taskOffset = kernel.barrierOffset + barriers * kBarrierBytes;
    kernel.sharedBytes = kernel.taskOffset + kTaskBytes;
    return kernel.sharedBytes <= sharedMemory;
  };
  // A stage more is worth a staging buffer: it hides the latency of loads in
  // every step, the buffer only that of stores in the epilogue.
  for (; kernel.stages >= kMinStages; --kernel.stages)
    if (layOut(kStagingBuffers, /*isInRing=*/false) ||
        (buffersInRing == kStagingBuffers &&
         layOut(kStagingBuffers, /*isInRing=*/true)) ||
        layOut(1, /*isInRing=*/false) || layOut(1, /*isInRing=*/true))
      return success();
  return largest->op.emitOpError()
         << "cannot be compiled for h200: a step takes " << kernel.stageBytes
         << " bytes of shared memory, and " << kMinStages
         << " of them do not fit into " << sharedMemory << " bytes with the "
         << "result's buffers";
}

FailureOr<KernelPlan> hopper::planKernel(StringRef name,
                                         ArrayRef<tgemm::MatmulOp> ops,
                                         const SemaphoreLayout &layout,
                                         PlanBuilder &builder,
                                         int64_t sharedMemory) {
  KernelPlan kernel;
  kernel.name = name.str();
  kernel.programmatic = ProgrammaticLaunch::get(ops);
  KernelParams params(kernel);
  for (tgemm::MatmulOp op : ops) {
    FailureOr<BodyPlan> body = planBody(op, layout, params, builder);
    if (failed(body))
      return failure();
    kernel.warpgroups = std::max(kernel.warpgroups, body->warpgroups);
    kernel.bodies.push_back(std::move(*body));
  }
  MLIRContext *context = ops.front()->getContext();
  kernel.syncStateParam = params.add(launch::ArgKind::sync_state, context);
  kernel.taskListParam = params.add(launch::ArgKind::task_list, context);
  kernel.taskCountParam = params.add(launch::ArgKind::task_count, context);

  BodyPlan &widest = *llvm::max_element(
      kernel.bodies, [](const BodyPlan &a, const BodyPlan &b) {
        return a.tiling.getN() < b.tiling.getN();
      });
  FailureOr<RegisterPlan> registers =
      getRegisters(kernel.warpgroups, widest.tiling.getN());
  if (failed(registers))
    return widest.op.emitOpError()
           << "cannot be compiled for h200: its tiles have "
           << widest.tiling.getN() << " columns, too many for blocks of "
           << kernel.getBlockSize() << " threads";
  kernel.registers = *registers;
  for (BodyPlan &body : kernel.bodies) {
    int64_t needed = body.getNumAccumulators() + kOtherRegisters;
    if (needed > kernel.registers.consumer)
      return body.op.emitOpError()
             << "cannot be compiled for h200: its tiles take "
             << body.getNumAccumulators()
             << " accumulators a thread, but at most "
             << kernel.registers.consumer - kOtherRegisters
             << " fit in blocks of " << kernel.getBlockSize() << " threads";
    body.readsAhead =
        needed + body.getInputRegisters() <= kernel.registers.consumer;
  }
  if (failed(planSharedMemory(kernel, sharedMemory)))
    return failure();
  return kernel;
}
