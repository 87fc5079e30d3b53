//===- Translate.cpp - From the LLVM and NVVM dialects to PTX -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/PTX.h"

#include "DeviceLibrary.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;
using namespace grout;

void grout::registerPTXTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Creates LLVM's code generator for `target`.
static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(Location loc, NVVM::NVVMTargetAttr target) {
  // LLVM's list of targets must not be changed by several threads at once.
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple(target.getTriple());
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return emitError(loc) << "this LLVM cannot generate PTX: " << error;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.getChip(), target.getFeatures(), llvm::TargetOptions(),
      /*RM=*/std::nullopt, /*CM=*/std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return emitError(loc) << "this LLVM cannot generate PTX for "
                          << target.getChip();
  return machine;
}

static void markAssemblyConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        // Assembly without side effects computes the same result wherever it
        // stands.
        if (call->isInlineAsm() &&
            llvm::cast<llvm::InlineAsm>(call->getCalledOperand())
                ->hasSideEffects())
          call->setConvergent();
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  // The generators unroll loops themselves where that helps. Loops over steps
  // have known counts and little code; if LLVM unrolled them, they would take
  // registers that accumulators need.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// Emits an error about all of `module`. Does not print the module with it,
/// because it may be long.
static InFlightDiagnostic emitModuleError(gpu::GPUModuleOp module) {
  return emitError(module.getLoc()) << "'" << module->getName() << "' op ";
}

/// Returns the passes that make `op` translatable.
static StringRef getMissingPasses(Operation *op) {
  auto isSync = [](Type type) {
    return type.getDialect().getNamespace() == "tsync";
  };
  // Casts remain where types of tsync are still in use.
  return op->getName().getDialectNamespace() == "tsync" ||
                 llvm::any_of(op->getOperandTypes(), isSync) ||
                 llvm::any_of(op->getResultTypes(), isSync)
             ? "convert-tsync-to-nvvm and grout-nvvm-kernel-pipeline"
             : "grout-nvvm-kernel-pipeline";
}

/// Reports the ops that MLIR cannot translate, because its translation only
/// says that it failed.
static LogicalResult verifyTranslatable(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) {
    if (op == module ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError() << "cannot be translated to PTX, as only the llvm and "
                         "nvvm dialects can; run "
                      << getMissingPasses(op) << " before";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The first architecture with acquire loads.
static constexpr unsigned kMinArchitecture = 70;

/// The most registers that a value may take. LLVM takes a second for a
/// thousand, and ends the process for 65,536.
static constexpr uint64_t kMaxRegisters = 1024;

/// Returns the number of scalars in a value of `type`.
static uint64_t getNumScalars(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return llvm::SaturatingMultiply<uint64_t>(
        array.getNumElements(), getNumScalars(array.getElementType()));
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return 1;
  uint64_t scalars = 0;
  for (Type member : structure.getBody())
    scalars = llvm::SaturatingAdd(scalars, getNumScalars(member));
  return scalars;
}

/// Checks that `value` may be in registers.
static LogicalResult verifyRegisters(Value value) {
  uint64_t scalars = getNumScalars(value.getType());
  if (scalars <= kMaxRegisters)
    return success();
  return emitError(value.getLoc())
         << "a value of type " << value.getType() << " is " << scalars
         << " scalars; PTX is generated for values of at most "
         << kMaxRegisters;
}

/// Checks that PTX allows the parameters of `function`.
static LogicalResult verifyParameters(LLVM::LLVMFuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (getNumScalars(argument.getType()) == 0)
      return emitError(argument.getLoc())
             << "a parameter of type " << argument.getType()
             << " has no scalar; PTX has no such parameters";
  return success();
}

/// Checks conditions for which LLVM's code generator would end the process.
static LogicalResult verifyGeneratable(gpu::GPUModuleOp module,
                                       NVVM::NVVMTargetAttr target) {
  unsigned architecture = 0;
  StringRef chip = target.getChip();
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, architecture) ||
      architecture < kMinArchitecture)
    return emitModuleError(module)
           << "cannot be compiled for '" << target.getChip()
           << "': PTX is generated for sm_" << kMinArchitecture << " and later";
  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && !llvm::all_of(symbol.getName(), [](char c) {
          return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
        }))
      return op.emitOpError("has a name that PTX does not allow: only letters, "
                            "digits, '_', '$' and '.' are");
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
        function && failed(verifyParameters(function)))
      return failure();
  }
  WalkResult result = module.walk([](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          if (failed(verifyRegisters(argument)))
            return WalkResult::interrupt();
    for (Value value : op->getResults())
      if (failed(verifyRegisters(value)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the only target of `module`. Fails with a diagnostic.
static FailureOr<NVVM::NVVMTargetAttr> getOnlyTarget(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  auto target = targets && targets.size() == 1
                    ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                    : NVVM::NVVMTargetAttr();
  if (!target)
    return emitModuleError(module) << "needs exactly one #nvvm.target";
  return target;
}

/// Translates `module` for `machine`, and links the functions of libdevice that
/// it calls.
static FailureOr<std::unique_ptr<llvm::Module>>
translateToLLVMIR(gpu::GPUModuleOp module, llvm::TargetMachine &machine,
                  llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!llvmModule)
    return emitModuleError(module) << "cannot be translated to LLVM IR";
  llvmModule->setTargetTriple(machine.getTargetTriple());
  llvmModule->setDataLayout(machine.createDataLayout());
  if (failed(linkDeviceLibrary(module.getLoc(), *llvmModule)))
    return failure();
  return llvmModule;
}

LogicalResult grout::printDeviceLLVMIR(gpu::GPUModuleOp module,
                                       raw_ostream &os) {
  FailureOr<NVVM::NVVMTargetAttr> target = getOnlyTarget(module);
  if (failed(target) || failed(verifyTranslatable(module)))
    return failure();
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(module.getLoc(), *target);
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> llvmModule =
      translateToLLVMIR(module, **machine, context);
  if (failed(llvmModule))
    return failure();
  os << "; llc -mcpu=" << target->getChip()
     << " -mattr=" << target->getFeatures() << "\n";
  (*llvmModule)->print(os, /*AAW=*/nullptr);
  return success();
}

FailureOr<std::string> grout::translateToPTX(gpu::GPUModuleOp module) {
  FailureOr<NVVM::NVVMTargetAttr> target = getOnlyTarget(module);
  if (failed(target) || failed(verifyTranslatable(module)) ||
      failed(verifyGeneratable(module, *target)))
    return failure();
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(module.getLoc(), *target);
  if (failed(machine))
    return failure();

  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> llvmModule =
      translateToLLVMIR(module, **machine, context);
  if (failed(llvmModule))
    return failure();
  markAssemblyConvergent(**llvmModule);
  optimize(**llvmModule, **machine);

  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return emitModuleError(module) << "LLVM cannot write PTX";
  passes.run(**llvmModule);
  return std::string(ptx.str());
}
