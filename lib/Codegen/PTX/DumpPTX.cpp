//===- DumpPTX.cpp - Prints the PTX of kernel modules, for tests ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PTXPasses.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace grout;

namespace {

/// This is a pass on the whole module, so that kernel modules are printed in
/// order.
struct DumpPTX : PassWrapper<DumpPTX, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DumpPTX)

  DumpPTX() = default;
  DumpPTX(const DumpPTX &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "dump-ptx"; }
  StringRef getDescription() const override {
    return "print the PTX of kernel modules to standard output, or assemble it "
           "and print ptxas's report";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerPTXTranslations(registry);
  }

  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(dump(module)))
        return signalPassFailure();
  }

private:
  LogicalResult dump(gpu::GPUModuleOp module) {
    FailureOr<std::string> ptx = translateToPTX(module);
    if (failed(ptx))
      return failure();
    if (!assemble) {
      llvm::outs() << *ptx;
      return success();
    }
    PtxasOptions options;
    options.path = ptxas;
    options.strict = strict;
    auto target = cast<NVVM::NVVMTargetAttr>(module.getTargetsAttr()[0]);
    FailureOr<Cubin> cubin =
        assemblePTX(module.getLoc(), *ptx, target.getChip(), options);
    if (failed(cubin))
      return failure();
    for (const KernelReport &kernel : cubin->report.kernels)
      llvm::outs() << kernel.name << ": " << kernel.registers << " registers, "
                   << kernel.stackBytes << " bytes stack, "
                   << kernel.spillStoreBytes << " bytes spill stores, "
                   << kernel.spillLoadBytes << " bytes spill loads\n";
    for (const std::string &warning : cubin->report.warnings)
      llvm::outs() << warning << "\n";
    return success();
  }

  Option<bool> assemble{*this, "assemble", llvm::cl::init(false),
                        llvm::cl::desc("Run ptxas and print its report")};
  Option<bool> strict{*this, "strict", llvm::cl::init(false),
                      llvm::cl::desc("Fail on spills and lost performance")};
  Option<std::string> ptxas{*this, "ptxas", llvm::cl::desc("Path of ptxas")};
};

} // namespace

std::unique_ptr<Pass> grout::createDumpPTX() {
  return std::make_unique<DumpPTX>();
}
