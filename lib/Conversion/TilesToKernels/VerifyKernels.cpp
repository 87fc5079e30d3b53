//===- VerifyKernels.cpp - Kernels against their launches -----------------===//
//
// Part of Grout. A generator adds functions to a module, and says in a
// LaunchCode how they are launched. Where the two differ, a GPU would reject
// the launch, or read parameters that nobody has passed.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernels.h"

#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/GPU.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace grout;

/// In what `func`, a kernel of a GPU, differs from `code`; empty if in nothing.
static std::string findProblem(FunctionOpInterface func,
                               const LaunchCode &code) {
  if (!func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
    return "has no attribute '" +
           NVVM::NVVMDialect::getKernelFuncAttrName().str() + "'";
  if (func.getNumArguments() != code.args.size())
    return "has " + std::to_string(func.getNumArguments()) +
           " parameters, but LaunchCode::args has " +
           std::to_string(code.args.size());
  auto threads = func->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  if (!threads)
    return "";
  int64_t count = 1;
  for (int32_t extent : threads.asArrayRef())
    count *= extent;
  if (count == code.block)
    return "";
  return "is for blocks of " + std::to_string(count) +
         " threads, but LaunchCode::block is " + std::to_string(code.block);
}

/// What `launch` asks for that none of `entries` does; empty if nothing.
static std::string findMissing(launch::TilesOp launch,
                               ArrayRef<Operation *> entries) {
  auto contain = [&](function_ref<bool(Operation *)> isIt) {
    return llvm::any_of(entries, [&](Operation *entry) {
      return entry
          ->walk([&](Operation *op) {
            return isIt(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    });
  };
  bool waits = false, posts = false;
  SemaphoreLayout layout(launch);
  for (TileKernelOpInterface kernel : launch.getKernels()) {
    waits |= !layout.getWaits(kernel).empty();
    posts |= !layout.getPosts(kernel).empty();
  }
  if (waits && !contain([](Operation *op) { return isa<tsync::WaitOp>(op); }))
    return "waits for no tiles, though it reads some that others write";
  if (posts && !contain([](Operation *op) { return isa<tsync::PostOp>(op); }))
    return "posts no tiles, though others wait for them";
  ProgrammaticLaunch programmatic = ProgrammaticLaunch::get(launch);
  if ((programmatic.waitsAtEntry || programmatic.loadsEarly ||
       programmatic.waitsAtEnd) &&
      !contain(isLaunchWait))
    return "never waits for the launches before, though it starts early";
  return "";
}

std::string grout::findKernelProblem(launch::TilesOp launch,
                                     const LaunchCode &code,
                                     Operation *module) {
  bool isGPU = isa<gpu::GPUModuleOp>(module);
  SmallVector<Operation *> entries;
  for (const std::string &name : code.entries) {
    auto func = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, name));
    if (!func || func.isExternal())
      return "the module of kernels has no code of entry '" + name + "'";
    if (!isGPU)
      continue;
    if (std::string problem = findProblem(func, code); !problem.empty())
      return (Twine("entry '") + name + "' " + problem).str();
    entries.push_back(func);
  }
  if (!isGPU)
    return "";
  if (code.block < 1 || code.block % kWarpSize != 0)
    return "LaunchCode::block is " + std::to_string(code.block) +
           ", but blocks have a multiple of " + std::to_string(kWarpSize) +
           " threads";
  if (std::string missing = findMissing(launch, entries); !missing.empty())
    return "it " + missing + "; TileSynchronisation makes waits and posts";
  return "";
}
