//===- AllReduceEmitter.h - The code of an all-reduce -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H

#include "AllReducePlan.h"
#include "grout/Conversion/Common/TileSynchronisation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// A part of a tensor's elements, and where the symmetric memory has them. Both
/// are numbers of elements, of type i64.
struct ElementRange {
  mlir::Value inPlace, inTensor;
};

/// Emits the kernel of an all-reduce. Its parameters are the operand, the
/// result, the launch's synchronisation state, the rank, and the launch's
/// symmetric memory on each rank.
class AllReduceEmitter {
public:
  AllReduceEmitter(mlir::LLVM::LLVMFuncOp func, const AllReducePlan &plan,
                   BufferView inputView, BufferView outputView);

  /// Emits the whole kernel, which waits for launches as `sync` says.
  void emit(const TileSynchronisation &sync);

private:
  /// A vector of a range. If the tensor does not have it, `at` is its first
  /// element.
  struct Item {
    ElementRange at;
    mlir::Value isThere;
  };

  /// Emits the algorithms of AllReducePlan.
  void emitOneShot();
  void emitTwoShots();

  mlir::Value emitI32(int64_t value);
  mlir::Value emitI64(int64_t value);
  mlir::Value emitWide(mlir::Value value);
  mlir::Value emitPlace(mlir::Value of);
  mlir::Value emitSums();
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);

  ElementRange emitChunk();
  ElementRange emitShare(mlir::Value ofRank);
  ElementRange emitShareOfSums(mlir::Value ofRank);

  mlir::Value emitInput(mlir::Value element);
  void emitOutput(mlir::Value value, mlir::Value element);
  llvm::SmallVector<mlir::Value> emitReceivedSums(llvm::ArrayRef<Item> items);
  mlir::Value emitAddress(mlir::Value pointer, const BufferView &view,
                          mlir::Value element);
  mlir::Value emitVectorAddress(mlir::Value memory, mlir::Value byte,
                                mlir::Value element);

  void emitLoop(int64_t elements, llvm::ArrayRef<ElementRange> firsts,
                int64_t vectors,
                llvm::function_ref<void(llvm::ArrayRef<Item>)> body);
  void emitRun(llvm::function_ref<void()> body);

  const AllReducePlan &plan;
  mlir::ImplicitLocOpBuilder b;
  BufferView inputView, outputView;
  mlir::Value input, output, state, rank;
  llvm::SmallVector<mlir::Value> peers;
  mlir::Value thread, block, own;
  /// The byte of the symmetric memory at which the places of this run begin.
  mlir::Value set;
  /// The elements that a thread loads at once.
  mlir::VectorType type;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H
