//===- StreamedReads.cpp - Reads that bypass the cache --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StreamedReads.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// A kernel with streamed reads must read this many times more bytes than it
/// writes.
static constexpr int64_t kLeastRatio = 8;

/// Whether every point of the loops reads an element of its own.
static bool isReadOnce(const KernelShape &shape, const StridedAccess &access) {
  if (access.rest)
    return false;
  // Strides do not overlap if each is larger than the reach of the smaller
  // ones.
  SmallVector<std::pair<int64_t, int64_t>> loops;
  for (auto [stride, extent] : llvm::zip_equal(access.strides, shape.extents))
    if (extent != 1)
      loops.emplace_back(std::abs(stride), extent);
  llvm::sort(loops);
  int64_t reach = 0;
  for (auto [stride, extent] : loops) {
    if (stride <= reach)
      return false;
    reach += stride * (extent - 1);
  }
  return true;
}

SmallVector<Value> scop::findStreamedArrays(KernelShape &shape,
                                            int64_t cacheBytes) {
  llvm::MapVector<Value, StridedAccess> reads;
  llvm::SmallSetVector<Value, 2> others, written;
  for (Phase &phase : shape.phases)
    for (PhaseStatement &statement : phase.statements) {
      for (StridedAccess &access : statement.writes)
        if (isa<BlockArgument>(access.array))
          written.insert(access.array);
      for (StridedAccess &access : statement.reads) {
        if (!isa<BlockArgument>(access.array))
          continue;
        auto [known, isNew] = reads.insert({access.array, access});
        if (!isReadOnce(shape, access) || !known->second.isSameAs(access))
          others.insert(access.array);
      }
    }
  int64_t bytesWritten = 0;
  for (Value array : written)
    bytesWritten += getArrayBytes(array);
  SmallVector<Value> streamed;
  for (auto &[array, access] : reads)
    if (int64_t bytes = getArrayBytes(array);
        bytes > cacheBytes && bytes / kLeastRatio >= bytesWritten &&
        !others.contains(array) && !written.contains(array))
      streamed.push_back(array);
  return streamed;
}

Value scop::emitStreamedLoad(ImplicitLocOpBuilder &b, VectorType type,
                             Value address) {
  int64_t words = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  SmallVector<Type> types(words, b.getI32Type());
  std::string names, constraints;
  for (int64_t word = 0; word != words; ++word) {
    names += (word == 0 ? "$" : ", $") + std::to_string(word);
    constraints += "=r,";
  }
  std::string vector = words == 1 ? "" : ".v" + std::to_string(words);
  if (words != 1)
    names = "{" + names + "}";
  Type resultType =
      words == 1 ? types.front()
                 : LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  // With side effects, it stays behind waits for other kernels.
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, resultType, address,
          "ld.global.L1::no_allocate" + vector + ".b32 " + names + ", [$" +
              std::to_string(words) + "];",
          constraints + "l", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr())
          .getResult(0);
  if (words == 1)
    return LLVM::BitcastOp::create(b, type, loaded);
  Value all =
      LLVM::UndefOp::create(b, VectorType::get({words}, b.getI32Type()));
  for (int64_t word = 0; word != words; ++word)
    all = LLVM::InsertElementOp::create(
        b, all, LLVM::ExtractValueOp::create(b, loaded, word),
        LLVM::ConstantOp::create(b, b.getI32IntegerAttr(word)));
  return LLVM::BitcastOp::create(b, type, all);
}
