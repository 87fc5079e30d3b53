//===- ScopDialect.cpp - The scop dialect ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// Keeps constants in the statements that use them: a kernel holds none.
struct ScopFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  bool shouldMaterializeInto(Region *region) const override {
    return isa<StmtOp>(region->getParentOp());
  }
};

} // namespace

void ScopDialect::initialize() {
  addInterfaces<ScopFoldInterface>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/Scop/IR/ScopOps.cpp.inc"
      >();
}

int64_t grout::scop::getBytes(Type type) { return *getSize({1}, type); }

int64_t grout::scop::getElementBytes(Value array) {
  return getBytes(cast<MemRefType>(array.getType()).getElementType());
}

int64_t grout::scop::getArrayBytes(Value array) {
  auto type = cast<MemRefType>(array.getType());
  return *getSize(type.getShape(), type.getElementType());
}

#include "grout/Dialect/Scop/IR/ScopDialect.cpp.inc"
