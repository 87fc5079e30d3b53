//===- ExplainKernels.cpp - Says what kernels take of a processor ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Explain/Explain.h"
#include "grout/Target/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace grout;

/// What ptxas says of the kernels of `device`; nothing without a ptxas.
static FailureOr<std::optional<AssemblyReport>>
assemble(gpu::GPUModuleOp device, const Target &target,
         const PtxasOptions &ptxas) {
  if (!findPtxas(ptxas))
    return std::optional<AssemblyReport>();
  FailureOr<std::string> ptx = translateToPTX(device);
  if (failed(ptx))
    return failure();
  FailureOr<Cubin> cubin =
      assemblePTX(device.getLoc(), *ptx, target.getSpec().architecture, ptxas);
  if (failed(cubin))
    return failure();
  return std::optional<AssemblyReport>(std::move(cubin->report));
}

namespace {
/// What ptxas says of modules, each of which it assembles once.
class Assemblies {
public:
  Assemblies(const Target &target, const PtxasOptions &ptxas)
      : target(target), ptxas(ptxas) {}

  FailureOr<std::optional<AssemblyReport>> get(gpu::GPUModuleOp device) {
    auto known = reports.find(device);
    if (known != reports.end())
      return known->second;
    auto report = assemble(device, target, ptxas);
    if (succeeded(report))
      reports.try_emplace(device, *report);
    return report;
  }

private:
  const Target &target;
  const PtxasOptions &ptxas;
  llvm::DenseMap<Operation *, std::optional<AssemblyReport>> reports;
};
} // namespace

LogicalResult grout::printKernelResources(ModuleOp module, const Target &target,
                                          const PtxasOptions &ptxas,
                                          llvm::raw_ostream &os) {
  if (target.getSpec().code != CodeFormat::PTX)
    return success();
  Assemblies assemblies(target, ptxas);
  for (auto plan : module.getOps<launch::PlanOp>()) {
    if (plan.getReference())
      continue;
    for (auto kernel : plan.getBody().front().getOps<launch::KernelOp>()) {
      os << "launch " << kernel.getName() << "\n"
         << "  threads         " << kernel.getBlock() << " in a block, "
         << kernel.getBlocksPerProcessor() << " block on a processor\n"
         << "  shared memory   " << kernel.getSharedMemory() << " of "
         << target.getSpec().sharedMemory << " bytes\n";
      auto device = module.lookupSymbol<gpu::GPUModuleOp>(
          kernel.getModuleAttr().getAttr());
      if (!device)
        return kernel.emitOpError()
               << "launches a kernel of " << kernel.getModuleAttr()
               << ", which is no gpu.module";
      FailureOr<std::optional<AssemblyReport>> report = assemblies.get(device);
      if (failed(report))
        return failure();
      if (!*report) {
        os << "  registers       not known: no ptxas was found\n";
        continue;
      }
      StringRef entry =
          cast<FlatSymbolRefAttr>(kernel.getEntries()[0]).getValue();
      for (const KernelReport &entryReport : (*report)->kernels)
        if (entryReport.name == entry)
          os << "  registers       " << entryReport.registers
             << " a thread at the start, "
             << entryReport.spillStoreBytes + entryReport.spillLoadBytes
             << " bytes spilled\n";
      for (const std::string &warning : (*report)->warnings)
        os << "  ptxas warns     " << warning << "\n";
    }
  }
  return success();
}
