//===- AllReduceEmitter.h - The code of an all-reduce -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H

#include "AllReducePlan.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Emits the kernel of an all-reduce. Its parameters are the operand, the
/// result, the launch's synchronisation state, the rank, and the launch's
/// symmetric memory on each rank.
class AllReduceEmitter {
public:
  AllReduceEmitter(mlir::LLVM::LLVMFuncOp func, const AllReducePlan &plan,
                   BufferView inputView, BufferView outputView);

  void emit(const ProgrammaticLaunch &programmatic);

private:
  /// An element of a chunk, or a vector of elements, that a thread works on.
  struct Position {
    /// Its number in the place or sums of the symmetric memory, and in the
    /// tensors.
    mlir::Value inPlace, inTensor;
  };

  mlir::Value emitI32(int64_t value);
  mlir::Value emitI64(int64_t value);
  mlir::Value emitIsRank(int64_t number);
  mlir::Value emitSelectedPeer(mlir::Value number);
  mlir::Value emitElementAddress(mlir::Value pointer, const BufferView &view,
                                 mlir::Value element);
  mlir::Value emitAddress(mlir::Value pointer, mlir::Value byte,
                          mlir::Value element);
  mlir::Value emitPlace(mlir::Value of);
  mlir::Value emitLoad(mlir::Value address);
  void emitStore(mlir::Value value, mlir::Value address);
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);
  void emitUnlessRank(int64_t number, llvm::function_ref<void()> body);
  void emitLoop(int64_t elements, mlir::Value firstInPlace,
                mlir::Value firstInTensor,
                llvm::function_ref<void(const Position &)> body);
  mlir::Value emitSum(const Position &at, mlir::Value set);
  void emitExchange(int64_t phase);
  void emitOneShot();
  void emitTwoShots();

  const AllReducePlan &plan;
  BufferView inputView, outputView;
  mlir::ImplicitLocOpBuilder b;
  mlir::Value input, output, state, rank;
  llvm::SmallVector<mlir::Value> peers;
  mlir::Value thread, block, own;
  mlir::Type type;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H
