//===- Native.cpp - Machine code for the host processor -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/Native.h"

#include "ExpressionPaths.h"
#include "Linker.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace mlir;
using namespace grout;

static llvm::Triple getHostTriple() {
  return llvm::Triple(llvm::sys::getProcessTriple());
}

std::string grout::getNativeTargetName() {
  llvm::Triple triple = getHostTriple();
  if (triple.getArch() == llvm::Triple::x86_64)
    return "x86-64-v3";
  return llvm::Triple::getArchTypeName(triple.getArch()).str();
}

//===----------------------------------------------------------------------===//
// LLVM IR
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::Module> translate(ModuleOp kernels,
                                               llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(
      kernels, context, SymbolTable::getSymbolName(kernels));
  if (!module)
    emitError(kernels.getLoc(), "the kernels cannot be translated to LLVM IR");
  return module;
}

LogicalResult grout::printLLVMIR(ModuleOp kernels, raw_ostream &os) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translate(kernels, context);
  if (!module)
    return failure();
  module->print(os, /*AAW=*/nullptr);
  return success();
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::TargetMachine> createTargetMachine(Location loc) {
  // A target may be registered more than once, and in several threads.
  static const bool initialized = [] {
    return !llvm::InitializeNativeTarget() &&
           !llvm::InitializeNativeTargetAsmPrinter();
  }();
  llvm::Triple triple = getHostTriple();
  std::string message = "LLVM was built without it";
  const llvm::Target *target =
      initialized ? llvm::TargetRegistry::lookupTarget(triple, message)
                  : nullptr;
  if (!target) {
    emitError(loc) << "cannot generate code for " << triple.str() << ": "
                   << message;
    return nullptr;
  }
  StringRef cpu =
      triple.getArch() == llvm::Triple::x86_64 ? "x86-64-v3" : "generic";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_,
      /*CM=*/std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Replaces calls of the sanitizer's memory functions by calls of the C
/// library's. LLVM calls functions that the runtime of GCC 12 does not have
/// yet, but every version of the sanitizer's runtime intercepts those of the C
/// library.
static void useInterceptedFunctions(llvm::Module &module) {
  for (StringRef name : {"memset", "memcpy", "memmove"})
    if (llvm::Function *function = module.getFunction(("__tsan_" + name).str()))
      function->replaceAllUsesWith(
          module.getOrInsertFunction(name, function->getFunctionType())
              .getCallee());
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     const NativeOptions &options) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = !hasTooManyPaths(module);
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::ModulePassManager passes =
      builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  if (options.sanitizeThread) {
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr(llvm::Attribute::SanitizeThread);
    // Last, as in clang: code that the optimiser removes needs no check.
    passes.addPass(llvm::ModuleThreadSanitizerPass());
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
  }
  passes.run(module, modules);
  if (options.sanitizeThread)
    useInterceptedFunctions(module);
}

/// Translates and optimises `kernels`, and writes them as `type`.
static LogicalResult generateCode(ModuleOp kernels,
                                  const NativeOptions &options,
                                  llvm::CodeGenFileType type,
                                  llvm::raw_pwrite_stream &os) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translate(kernels, context);
  if (!module)
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(kernels.getLoc());
  if (!machine)
    return failure();
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  module->setPICLevel(llvm::PICLevel::BigPIC);
  // The loop vectoriser looks at this attribute of functions to find the
  // features of the processor.
  for (llvm::Function &function : *module)
    function.addFnAttr("target-cpu", machine->getTargetCPU());
  optimize(*module, *machine, options);

  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, os, /*DwoOut=*/nullptr, type))
    return kernels.emitError()
           << "cannot generate code for " << machine->getTargetTriple().str();
  emission.run(*module);
  return success();
}

LogicalResult grout::printNativeAssembly(ModuleOp kernels,
                                         const NativeOptions &options,
                                         raw_ostream &os) {
  SmallVector<char> text;
  llvm::raw_svector_ostream stream(text);
  if (failed(generateCode(kernels, options, llvm::CodeGenFileType::AssemblyFile,
                          stream)))
    return failure();
  os << stream.str();
  return success();
}

FailureOr<SmallVector<char>>
grout::compileSharedObject(ModuleOp kernels, const NativeOptions &options) {
  SmallVector<char> object;
  llvm::raw_svector_ostream stream(object);
  if (failed(generateCode(kernels, options, llvm::CodeGenFileType::ObjectFile,
                          stream)))
    return failure();
  return linkSharedObject(kernels.getLoc(), object);
}
