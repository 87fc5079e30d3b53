//===- KernelText.cpp - The kernels of a program as text ------------------===//
//
// Part of Grout. A program has a module of kernels for each of its functions.
// No assembler takes two modules in one file, so this file merges them into
// one.
//
//===----------------------------------------------------------------------===//

#include "KernelText.h"

#include "grout/Codegen/Native.h"
#include "grout/Codegen/PTX.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace grout;

/// Returns the modules of kernels in `program` that no reference plan launches.
static SmallVector<Operation *> findKernelModules(ModuleOp program) {
  DenseSet<StringAttr> ofReferences;
  for (auto plan : program.getOps<launch::PlanOp>())
    if (plan.getReference())
      for (auto kernel : plan.getBody().front().getOps<launch::KernelOp>())
        ofReferences.insert(kernel.getModuleAttr().getAttr());
  SmallVector<Operation *> modules;
  for (Operation &op : *program.getBody())
    if (isa<ModuleOp, gpu::GPUModuleOp>(op) &&
        !ofReferences.contains(SymbolTable::getSymbolName(&op)))
      modules.push_back(&op);
  return modules;
}

/// Returns whether `symbol` and `known` are declarations of the same function.
/// Several modules may declare the same functions of the target.
static bool isSameDeclaration(Operation *symbol, Operation *known) {
  auto function = dyn_cast<FunctionOpInterface>(symbol);
  return function && function.isExternal() && known &&
         OperationEquivalence::isEquivalentTo(
             symbol, known, OperationEquivalence::IgnoreLocations);
}

/// Moves the ops of `from` into the module of `symbols`. If two symbols have
/// the same name, the second gets another name.
static LogicalResult moveSymbols(Operation *from, SymbolTable &symbols) {
  SymbolTable own(from);
  for (Operation &op : llvm::make_early_inc_range(from->getRegion(0).front())) {
    if (!isa<SymbolOpInterface>(op))
      continue;
    Operation *known = symbols.lookup(SymbolTable::getSymbolName(&op));
    if (isSameDeclaration(&op, known))
      continue;
    if (known && failed(own.renameToUnique(&op, {&symbols})))
      return op.emitOpError("cannot be renamed");
    own.remove(&op);
    op.remove();
    symbols.insert(&op);
  }
  return success();
}

/// Returns a module with the kernels of all `modules`, which do not change.
static FailureOr<OwningOpRef<Operation *>>
merge(ArrayRef<Operation *> modules) {
  OwningOpRef<Operation *> merged(modules.front()->clone());
  SymbolTable symbols(*merged);
  for (Operation *module : modules.drop_front()) {
    OwningOpRef<Operation *> copy(module->clone());
    if (failed(moveSymbols(*copy, symbols)))
      return failure();
  }
  return merged;
}

/// Writes the kernels of one module.
static LogicalResult emitModule(Operation *kernels,
                                const CompilerOptions &options,
                                raw_ostream &os) {
  bool isLLVM = options.emit == EmitKind::LLVM;
  if (auto device = dyn_cast<gpu::GPUModuleOp>(kernels)) {
    if (isLLVM)
      return printDeviceLLVMIR(device, os);
    FailureOr<std::string> ptx = translateToPTX(device);
    if (succeeded(ptx))
      os << *ptx;
    return ptx;
  }
  auto host = cast<ModuleOp>(kernels);
  if (isLLVM)
    return printLLVMIR(host, os);
  NativeOptions native;
  native.sanitizeThread = options.sanitizeThread;
  return printNativeAssembly(host, native, os);
}

FailureOr<std::string> grout::emitKernelText(ModuleOp program,
                                             const CompilerOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<Operation *> modules = findKernelModules(program);
  if (modules.empty())
    return text;
  FailureOr<OwningOpRef<Operation *>> merged = merge(modules);
  if (failed(merged) || failed(emitModule(**merged, options, os)))
    return failure();
  return text;
}
