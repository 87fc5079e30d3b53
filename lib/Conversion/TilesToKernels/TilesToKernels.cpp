//===- TilesToKernels.cpp - Code for the launches of plans ----------------===//
//
// Part of Grout. What is in a kernel is the business of the target's
// generators; here are the launches around it.
//
//===----------------------------------------------------------------------===//

#include "CheckResidents.h"
#include "VerifyLaunchCode.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Interfaces/TileAnswers.h"
#include "grout/Interfaces/VerifyTiles.h"
#include "grout/Support/ErrorWatch.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTTILESTOKERNELS
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether `generators` have one for a launch that has, of the kernels of
/// `launch`, number `index` alone.
static bool handlesAlone(const LaunchGenerators &generators,
                         launch::TilesOp launch, unsigned index) {
  OpBuilder builder(launch);
  auto alone = cast<launch::TilesOp>(builder.clone(*launch));
  for (auto [number, kernel] : llvm::enumerate(alone.getKernels())) {
    if (number == index)
      continue;
    builder.setInsertionPoint(kernel);
    kernel->replaceAllUsesWith(UnrealizedConversionCastOp::create(
        builder, kernel.getLoc(), kernel->getResultTypes(), ValueRange()));
    kernel->erase();
  }
  bool handles = generators.find(alone) != nullptr;
  alone.erase();
  return handles;
}

/// Refuses `launch`, which none of `generators` makes a kernel of, at the
/// kernels of which none would make one alone, if there are such.
static LogicalResult refuseUnhandled(launch::TilesOp launch,
                                     const TargetSpec &target,
                                     const LaunchGenerators *generators) {
  bool isExplained = false;
  for (auto [index, kernel] : llvm::enumerate(launch.getKernels())) {
    if (generators && handlesAlone(*generators, launch, index))
      continue;
    isExplained = true;
    InFlightDiagnostic diag = emitTargetError(kernel)
                              << "there are no kernels for '"
                              << kernel->getName() << "'";
    diag.attachNote() << "a LaunchGenerator of the target makes them; see "
                         "docs/guides/AddATileKernel.md";
  }
  if (isExplained)
    return failure();
  return refuseLaunch(launch, target, "there are no kernels for ")
         << "; in mode serial each kernel has a launch of its own";
}

/// Checks that the answers of `kernel` are those that were proved, if it says
/// which.
static LogicalResult verifyProved(TileKernelOpInterface kernel,
                                  const TileAnswers &answers) {
  auto proved = kernel->getAttrOfType<IntegerAttr>(
      tsync::TSyncDialect::kProvedAnswersAttrName);
  if (!proved || proved.getValue() == answers.getDigest())
    return success();
  InFlightDiagnostic diag =
      kernel->emitOpError()
      << "returns other answers by TileKernelOpInterface than those that "
         "tsync-verify proved; answers follow from the op alone";
  diag.attachNote() << "if you have changed the op since, run tsync-verify "
                       "again, on its chain";
  return diag;
}

/// What `generator` makes of `launch`, verified. If it does not say why it
/// fails, this does.
static FailureOr<LaunchCode> generate(const LaunchGenerator &generator,
                                      launch::TilesOp launch,
                                      LaunchTensors &tensors, Operation *module,
                                      const TargetSpec &target) {
  ErrorWatch watch(launch.getContext());
  FailureOr<LaunchCode> code =
      generator.generate(launch, tensors, module, target);
  if (failed(code))
    return watch.hasSeenError()
               ? failure()
               : refuseLaunch(
                     launch, target,
                     "the generator fails, and does not say why, for ");
  if (failed(verifyLaunchCode(launch, *code, module, target)))
    return failure();
  return code;
}

/// The numbers of those of `buffers` that `launch` writes: its outputs, and
/// memory that only it uses.
static SmallVector<int64_t> getWritten(launch::TilesOp launch,
                                       ArrayRef<Value> buffers) {
  SmallVector<int64_t> written;
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    auto scratch = buffer.getDefiningOp<launch::BufferOp>();
    bool isScratch = scratch && !scratch.getValue() &&
                     !llvm::is_contained(launch.getInputs(), buffer);
    if (isScratch || llvm::is_contained(launch.getOutputs(), buffer))
      written.push_back(number);
  }
  return written;
}

/// The numbers of those of `buffers` that `launch` may read early, if any may
/// be: those inputs, and constants.
static DenseI64ArrayAttr getEarly(launch::TilesOp launch,
                                  ArrayRef<Value> buffers) {
  if (!launch.getEarly())
    return {};
  SmallVector<int64_t> early;
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    if (launch.readsEarly(buffer))
      early.push_back(number);
  }
  return DenseI64ArrayAttr::get(launch.getContext(), early);
}

/// Adds a launch of `code`, a part of `module`, before `launch`, which it
/// replaces.
static launch::KernelOp createKernel(launch::TilesOp launch,
                                     const LaunchCode &code,
                                     StringAttr module) {
  OpBuilder builder(launch);
  SmallVector<Attribute> entries, grids;
  for (const std::string &entry : code.entries)
    entries.push_back(FlatSymbolRefAttr::get(builder.getContext(), entry));
  for (ArrayRef<int64_t> grid : code.grids)
    grids.push_back(builder.getI64ArrayAttr(grid));
  auto kernel = launch::KernelOp::create(
      builder, launch.getLoc(), launch.getNameAttr(),
      FlatSymbolRefAttr::get(module), builder.getArrayAttr(entries),
      code.buffers,
      builder.getDenseI64ArrayAttr(getWritten(launch, code.buffers)),
      launch.getAfter(), launch.getEdgesAttr(), getEarly(launch, code.buffers),
      launch.getSemaphores(), builder.getArrayAttr(code.args),
      builder.getArrayAttr(grids),
      code.order.empty() ? ArrayAttr()
                         : builder.getAffineMapArrayAttr(code.order),
      code.exchange);
  kernel.setResidents(code.residents);
  kernel.setBlock(code.block);
  kernel.setCluster(code.cluster);
  kernel.setSharedMemory(code.sharedMemory);
  kernel.setBlocksPerProcessor(code.blocksPerProcessor);
  kernel.setParts(code.parts);
  kernel.setTriggersBeforeWait(launch.triggersBeforeWait());
  kernel.setBranch(launch.getBranch());
  return kernel;
}

/// Replaces `launch` by one of `code`, which a generator made in `module`. That
/// is verified here, where the generator is known.
static LogicalResult replaceLaunch(launch::TilesOp launch,
                                   const LaunchCode &code, StringAttr module,
                                   const TargetSpec &target) {
  launch::KernelOp kernel = createKernel(launch, code, module);
  if (failed(verify(kernel)))
    return refuseLaunch(launch, target,
                        "the generator describes its kernel wrongly, for ");
  launch.getToken().replaceAllUsesWith(kernel.getToken());
  launch.erase();
  return success();
}

namespace {

struct ConvertTilesToKernels
    : grout::impl::ConvertTilesToKernelsBase<ConvertTilesToKernels> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (auto plan : llvm::to_vector(getOperation().getOps<launch::PlanOp>()))
      if (!plan.getBody().front().getOps<launch::TilesOp>().empty() &&
          failed(convert(plan, symbols, **target)))
        return signalPassFailure();
  }

private:
  static LogicalResult convert(launch::PlanOp plan, SymbolTable &symbols,
                               const Target &target) {
    const auto *generators = target.getInterface<LaunchGenerators>();
    const TargetSpec &spec = target.getSpec();
    OpBuilder builder(plan.getContext());
    Operation *module = nullptr;
    for (auto launch : llvm::make_early_inc_range(
             plan.getBody().front().getOps<launch::TilesOp>())) {
      const LaunchGenerator *generator =
          generators ? generators->find(launch) : nullptr;
      if (!generator)
        return refuseUnhandled(launch, spec, generators);
      if (!module) {
        module = generators->createModule(
            builder, plan.getLoc(), (plan.getName() + "_kernels").str(), spec);
        symbols.insert(module, std::next(plan->getIterator()));
      }
      LaunchTensors tensors(launch);
      // The digest is of what is verified, and what code is made for.
      SmallVector<TileAnswers> answers;
      for (TileKernelOpInterface kernel : launch.getKernels()) {
        answers.emplace_back(kernel);
        if (failed(verifyTiles(kernel)) ||
            failed(tensors.checkUpdates(kernel)) ||
            failed(verifyProved(kernel, answers.back())))
          return failure();
      }
      FailureOr<LaunchCode> code =
          generate(*generator, launch, tensors, module, spec);
      // The code is for what was proved.
      if (failed(code) ||
          !llvm::all_of(answers,
                        [](const TileAnswers &of) {
                          return succeeded(of.verifySame());
                        }) ||
          failed(checkResidents(launch, *code, spec)) ||
          failed(replaceLaunch(launch, *code,
                               SymbolTable::getSymbolName(module), spec)))
        return failure();
    }
    return success();
  }
};

} // namespace
