//===- DumpPTX.cpp - Prints the PTX of kernel modules, for tests ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PTXPasses.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;

namespace {

struct DumpPTX : PassWrapper<DumpPTX, OperationPass<gpu::GPUModuleOp>> {
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
    FailureOr<std::string> ptx = translateToPTX(getOperation());
    if (failed(ptx))
      return signalPassFailure();
    if (!assemble) {
      llvm::outs() << *ptx;
      return;
    }
    PtxasOptions options;
    options.path = ptxas;
    options.strict = strict;
    auto target =
        cast<NVVM::NVVMTargetAttr>(getOperation().getTargetsAttr()[0]);
    FailureOr<Cubin> cubin =
        assemblePTX(getOperation().getLoc(), *ptx, target.getChip(), options);
    if (failed(cubin))
      return signalPassFailure();
    for (const KernelReport &kernel : cubin->report.kernels)
      llvm::outs() << kernel.name << ": " << kernel.registers << " registers, "
                   << kernel.stackBytes << " bytes stack, "
                   << kernel.spillStoreBytes << " bytes spill stores, "
                   << kernel.spillLoadBytes << " bytes spill loads\n";
    for (const std::string &warning : cubin->report.warnings)
      llvm::outs() << warning << "\n";
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
