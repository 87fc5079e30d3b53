//===- HostFunctions.cpp - Leaves out host functions ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace grout;

static bool hasTensors(func::FuncOp func) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(func.getArgumentTypes(), isTensor) ||
         llvm::any_of(func.getResultTypes(), isTensor);
}

/// Returns whether to compile `func`, if no other function refers to it.
static bool isProgram(func::FuncOp func) {
  return !func.isExternal() && func.isPublic() && hasTensors(func);
}

/// Adds `func` and all functions that it refers to, directly or through others,
/// to `needed`.
static void addNeeded(func::FuncOp func, SymbolTable &symbols,
                      llvm::SmallPtrSetImpl<Operation *> &needed) {
  if (!needed.insert(func).second)
    return;
  if (auto uses = SymbolTable::getSymbolUses(&func.getBody()))
    for (const SymbolTable::SymbolUse &use : *uses)
      if (auto other = symbols.lookup<func::FuncOp>(
              use.getSymbolRef().getRootReference()))
        addNeeded(other, symbols, needed);
}

void grout::removeHostFunctions(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::SmallPtrSet<Operation *, 8> needed;
  for (auto func : module.getOps<func::FuncOp>())
    if (isProgram(func))
      addNeeded(func, symbols, needed);
  if (needed.empty())
    return;
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!func.isExternal() && !needed.contains(func))
      func.erase();
}
