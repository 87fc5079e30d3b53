//===- ExplainKernels.cpp - Describes the resources of kernels ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/PTX.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Reports/Explain.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// Returns ptxas's report on the kernels of `device`, or nothing if there is no
/// ptxas.
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
/// Returns ptxas's reports on modules, and assembles each module once.
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

/// Returns the bytes of static shared memory in the code of `function`. Its
/// launch may add dynamic shared memory.
static int64_t getStaticSharedBytes(LLVM::LLVMFuncOp function) {
  auto device = function->getParentOfType<gpu::GPUModuleOp>();
  llvm::SetVector<Operation *> arrays;
  function.walk([&](LLVM::AddressOfOp address) {
    auto array = device.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    if (array && array.getAddrSpace() ==
                     static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
      arrays.insert(array);
  });
  DataLayout layout(device);
  int64_t bytes = 0;
  for (Operation *op : arrays) {
    auto array = cast<LLVM::GlobalOp>(op);
    bytes = llvm::alignTo(bytes, array.getAlignment().value_or(1)) +
            layout.getTypeSize(array.getGlobalType());
  }
  return bytes;
}

static void printCount(int64_t count, StringRef what, llvm::raw_ostream &os) {
  os << count << " " << what << (count == 1 ? "" : "s");
}

/// Prints the threads and the shared memory of a block of `kernel`, whose code
/// is `function`.
static void printBlock(launch::KernelOp kernel, LLVM::LLVMFuncOp function,
                       const TargetSpec &target, llvm::raw_ostream &os) {
  os << "  threads         " << kernel.getBlock() << " in a block, ";
  if (kernel.getOrder()) {
    printCount(kernel.getBlocksPerProcessor(), "block", os);
    os << " on a processor\n";
  } else {
    printCount(ShapedType::getNumElements(kernel.getGrid(0)), "block", os);
    os << "\n";
  }
  os << "  shared memory   "
     << kernel.getSharedMemory() + getStaticSharedBytes(function) << " of "
     << target.sharedMemory << " bytes\n";
}

/// Prints ptxas's report on the kernel `entry`.
static void printRegisters(const std::optional<AssemblyReport> &report,
                           StringRef entry, llvm::raw_ostream &os) {
  if (!report) {
    os << "  registers       not known: no ptxas was found\n";
    return;
  }
  for (const KernelReport &kernel : report->kernels)
    if (kernel.name == entry)
      os << "  registers       " << kernel.registers
         << " a thread at the start, "
         << kernel.spillStoreBytes + kernel.spillLoadBytes
         << " bytes spilled\n";
  for (const std::string &warning : report->warnings)
    os << "  ptxas warns     " << warning << "\n";
}

/// If a plan has several branches, prints the branch of `kernel`, and the
/// launches for which it waits.
static void printBranch(launch::KernelOp kernel, llvm::raw_ostream &os) {
  auto plan = kernel->getParentOfType<launch::PlanOp>();
  if (llvm::all_of(plan.getLaunches(), [](launch::LaunchOpInterface launch) {
        return launch.getBranch() == 0;
      }))
    return;
  os << "  branch          " << kernel.getBranch();
  SmallVector<StringRef> before;
  for (Value token : kernel.getAfter())
    if (auto launch = token.getDefiningOp<launch::KernelOp>())
      before.push_back(launch.getName());
  if (!before.empty())
    os << ", after " << llvm::interleaved(before);
  os << "\n";
}

static LogicalResult printKernel(launch::KernelOp kernel, ModuleOp module,
                                 const Target &target, Assemblies &assemblies,
                                 llvm::raw_ostream &os) {
  auto device =
      module.lookupSymbol<gpu::GPUModuleOp>(kernel.getModuleAttr().getAttr());
  if (!device)
    return kernel.emitOpError()
           << "launches a kernel of " << kernel.getModuleAttr()
           << ", which is no gpu.module";
  auto entry = cast<FlatSymbolRefAttr>(kernel.getEntries()[0]);
  auto function = device.lookupSymbol<LLVM::LLVMFuncOp>(entry.getAttr());
  if (!function)
    return kernel.emitOpError()
           << "launches " << entry << " of " << kernel.getModuleAttr()
           << ", which has no llvm.func of that name";
  os << "launch " << kernel.getName() << "\n";
  printBranch(kernel, os);
  printBlock(kernel, function, target.getSpec(), os);
  FailureOr<std::optional<AssemblyReport>> report = assemblies.get(device);
  if (failed(report))
    return failure();
  printRegisters(*report, entry.getValue(), os);
  return success();
}

LogicalResult grout::printKernelResources(ModuleOp module, const Target &target,
                                          const PtxasOptions &ptxas,
                                          llvm::raw_ostream &os) {
  if (target.getSpec().code != CodeFormat::PTX)
    return success();
  Assemblies assemblies(target, ptxas);
  for (auto plan : module.getOps<launch::PlanOp>()) {
    if (plan.getReference())
      continue;
    for (auto kernel : plan.getBody().front().getOps<launch::KernelOp>())
      if (failed(printKernel(kernel, module, target, assemblies, os)))
        return failure();
  }
  return success();
}
