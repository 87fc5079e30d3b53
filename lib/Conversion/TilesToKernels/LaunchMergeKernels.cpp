//===- LaunchMergeKernels.cpp - One function for equal kernels ------------===//
//
// Part of Grout. For example, the blocks of a residual network are the same
// kernels again and again, on other buffers.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace grout {
#define GEN_PASS_DEF_LAUNCHMERGEKERNELS
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

namespace {

/// Compares two functions of `module`, op by op. Names of shared memory that
/// only one function uses make no difference.
class FunctionComparison {
public:
  explicit FunctionComparison(gpu::GPUModuleOp module) : symbols(module) {
    module.walk([&](LLVM::AddressOfOp address) {
      users[address.getGlobalNameAttr()].insert(
          address->getParentOfType<LLVM::LLVMFuncOp>());
    });
  }

  bool areEqual(LLVM::LLVMFuncOp one, LLVM::LLVMFuncOp other);
  /// Returns the globals that `function` alone uses.
  SmallVector<StringAttr> getOwnGlobals(LLVM::LLVMFuncOp function) const;

private:
  /// Matches the blocks and values of both regions by their places. Returns
  /// whether there are as many in both.
  bool match(Region &one, Region &other);
  bool match(Operation *one, Operation *other);
  bool areEqual(Operation *one, Operation *other);
  bool areEqual(Region &one, Region &other);
  /// Whether both globals are shared memory of their own functions, and alike.
  bool areEqualGlobals(FlatSymbolRefAttr one, FlatSymbolRefAttr other);

  SymbolTable symbols;
  /// The functions that use a global.
  llvm::DenseMap<Attribute, llvm::SmallPtrSet<Operation *, 2>> users;
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Block *, Block *> blocks;
  llvm::DenseMap<Attribute, Attribute> globals;
};

} // namespace

bool FunctionComparison::match(Operation *one, Operation *other) {
  if (one->getName() != other->getName() ||
      one->getNumOperands() != other->getNumOperands() ||
      one->getResultTypes() != other->getResultTypes() ||
      one->getNumSuccessors() != other->getNumSuccessors() ||
      one->getNumRegions() != other->getNumRegions())
    return false;
  for (auto [result, otherResult] :
       llvm::zip_equal(one->getResults(), other->getResults()))
    values[result] = otherResult;
  return llvm::all_of(
      llvm::zip_equal(one->getRegions(), other->getRegions()),
      [&](auto pair) { return match(std::get<0>(pair), std::get<1>(pair)); });
}

bool FunctionComparison::match(Region &one, Region &other) {
  if (one.getBlocks().size() != other.getBlocks().size())
    return false;
  for (auto [block, otherBlock] : llvm::zip_equal(one, other)) {
    if (block.getArgumentTypes() != otherBlock.getArgumentTypes() ||
        block.getOperations().size() != otherBlock.getOperations().size())
      return false;
    blocks[&block] = &otherBlock;
    for (auto [argument, otherArgument] :
         llvm::zip_equal(block.getArguments(), otherBlock.getArguments()))
      values[argument] = otherArgument;
    for (auto [op, otherOp] : llvm::zip_equal(block, otherBlock))
      if (!match(&op, &otherOp))
        return false;
  }
  return true;
}

bool FunctionComparison::areEqualGlobals(FlatSymbolRefAttr one,
                                         FlatSymbolRefAttr other) {
  if (one == other)
    return true;
  auto known = globals.find(one);
  if (known != globals.end())
    return known->second == other;
  auto global = symbols.lookup<LLVM::GlobalOp>(one.getAttr());
  auto otherGlobal = symbols.lookup<LLVM::GlobalOp>(other.getAttr());
  auto getAttributes = [](LLVM::GlobalOp op) {
    NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase(SymbolTable::getSymbolAttrName());
    return attributes.getDictionary(op.getContext());
  };
  auto isOwn = [&](LLVM::GlobalOp op, FlatSymbolRefAttr name) {
    return op.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared) &&
           op.getInitializerRegion().empty() && users[name].size() == 1;
  };
  if (!global || !otherGlobal || !isOwn(global, one) ||
      !isOwn(otherGlobal, other) ||
      getAttributes(global) != getAttributes(otherGlobal))
    return false;
  globals[one] = other;
  return true;
}

bool FunctionComparison::areEqual(Operation *one, Operation *other) {
  for (auto [operand, otherOperand] :
       llvm::zip_equal(one->getOperands(), other->getOperands()))
    if (values.lookup(operand) != otherOperand)
      return false;
  for (auto [block, otherBlock] :
       llvm::zip_equal(one->getSuccessors(), other->getSuccessors()))
    if (blocks.lookup(block) != otherBlock)
      return false;
  if (auto address = dyn_cast<LLVM::AddressOfOp>(one))
    return areEqualGlobals(address.getGlobalNameAttr(),
                           cast<LLVM::AddressOfOp>(other).getGlobalNameAttr());
  if (one->getDiscardableAttrDictionary() !=
          other->getDiscardableAttrDictionary() ||
      !one->getName().compareOpProperties(one->getPropertiesStorage(),
                                          other->getPropertiesStorage()))
    return false;
  return llvm::all_of(llvm::zip_equal(one->getRegions(), other->getRegions()),
                      [&](auto pair) {
                        return areEqual(std::get<0>(pair), std::get<1>(pair));
                      });
}

bool FunctionComparison::areEqual(Region &one, Region &other) {
  for (auto [block, otherBlock] : llvm::zip_equal(one, other))
    for (auto [op, otherOp] : llvm::zip_equal(block, otherBlock))
      if (!areEqual(&op, &otherOp))
        return false;
  return true;
}

/// Returns the attributes of `op`, except its name.
static DictionaryAttr getUnnamedAttributes(LLVM::LLVMFuncOp op) {
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(op.getContext());
}

bool FunctionComparison::areEqual(LLVM::LLVMFuncOp one,
                                  LLVM::LLVMFuncOp other) {
  values.clear();
  blocks.clear();
  globals.clear();
  return getUnnamedAttributes(one) == getUnnamedAttributes(other) &&
         match(one.getBody(), other.getBody()) &&
         areEqual(one.getBody(), other.getBody());
}

SmallVector<StringAttr>
FunctionComparison::getOwnGlobals(LLVM::LLVMFuncOp function) const {
  llvm::SetVector<StringAttr> own;
  function.getBody().walk([&](LLVM::AddressOfOp address) {
    if (users.lookup(address.getGlobalNameAttr()).size() == 1)
      own.insert(address.getGlobalNameAttr().getAttr());
  });
  return own.takeVector();
}

/// A hash that equal functions have in common.
static llvm::hash_code computeHash(LLVM::LLVMFuncOp function) {
  llvm::hash_code hash = hash_value(Attribute(getUnnamedAttributes(function)));
  function.getBody().walk([&](Operation *op) {
    if (!isa<LLVM::AddressOfOp>(op))
      hash = llvm::hash_combine(hash,
                                OperationEquivalence::computeHash(
                                    op, OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Returns the attributes of a launch that the runtime sets for its function.
static std::array<int64_t, 4> getLimits(launch::KernelOp op) {
  return {int64_t(op.getBlock()), int64_t(op.getCluster()),
          int64_t(op.getSharedMemory()), int64_t(op.getBlocksPerProcessor())};
}

namespace {

struct LaunchMergeKernels
    : grout::impl::LaunchMergeKernelsBase<LaunchMergeKernels> {
  using Base::Base;

  void runOnOperation() override {
    llvm::MapVector<Attribute, SmallVector<launch::KernelOp>> launches;
    getOperation().walk([&](launch::KernelOp op) {
      launches[op.getModuleAttr()].push_back(op);
    });
    SymbolTable modules(getOperation());
    for (auto &[name, users] : launches)
      if (auto module = modules.lookup<gpu::GPUModuleOp>(
              cast<FlatSymbolRefAttr>(name).getAttr()))
        mergeKernels(module, users);
  }

  void mergeKernels(gpu::GPUModuleOp module,
                    ArrayRef<launch::KernelOp> launches) {
    FunctionComparison comparison(module);
    SymbolTable symbols(module);
    llvm::DenseMap<size_t, SmallVector<launch::KernelOp>> kept;
    llvm::SetVector<Attribute> merged;
    llvm::DenseSet<Attribute> used;
    auto lookup = [&](launch::KernelOp launch) {
      auto entry = cast<FlatSymbolRefAttr>(launch.getEntries()[0]);
      return symbols.lookup<LLVM::LLVMFuncOp>(entry.getAttr());
    };
    for (launch::KernelOp launch : launches) {
      LLVM::LLVMFuncOp function = lookup(launch);
      if (!function)
        continue;
      SmallVector<launch::KernelOp> &candidates = kept[computeHash(function)];
      auto *same = llvm::find_if(candidates, [&](launch::KernelOp other) {
        return getLimits(other) == getLimits(launch) &&
               (lookup(other) == function ||
                comparison.areEqual(function, lookup(other)));
      });
      if (same == candidates.end()) {
        candidates.push_back(launch);
      } else {
        merged.insert(launch.getEntries()[0]);
        launch.setEntriesAttr(same->getEntriesAttr());
      }
      used.insert(launch.getEntries()[0]);
    }
    for (Attribute entry : merged)
      if (!used.contains(entry))
        erase(cast<FlatSymbolRefAttr>(entry), comparison, symbols);
  }

  /// Erases a function, and the globals that it alone uses.
  void erase(FlatSymbolRefAttr name, const FunctionComparison &comparison,
             SymbolTable &symbols) {
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name.getAttr());
    SmallVector<StringAttr> globals = comparison.getOwnGlobals(function);
    symbols.erase(function);
    for (StringAttr global : globals)
      symbols.erase(symbols.lookup(global));
    ++numMerged;
  }
};

} // namespace
