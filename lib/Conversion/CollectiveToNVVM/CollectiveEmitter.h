//===- CollectiveEmitter.h - The code of a collective op --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEEMITTER_H
#define GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEEMITTER_H

#include "CollectivePlan.h"
#include "grout/Conversion/Common/TileSynchronisation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace grout {

/// Emits the kernel of a collective op. Its parameters are the operand, the
/// result, the launch's synchronisation state, the rank, and the launch's
/// symmetric memory on each rank.
class CollectiveEmitter {
public:
  CollectiveEmitter(mlir::LLVM::LLVMFuncOp func, const CollectivePlan &plan);

  /// Emits the whole kernel, which waits for launches as `sync` says.
  void emit(const TileSynchronisation &sync);

private:
  /// The vector of part `part`, an i32, that begins at `element`. If the part
  /// does not have it, `element` is 0.
  struct Item {
    mlir::Value part, element, isThere;
  };
  using Items = llvm::ArrayRef<Item>;

  void emitAlgorithm();
  void emitParts();
  void emitOwnPart();
  void
  emitSums(llvm::function_ref<void(const Item &, mlir::Value sum)> consume);
  void emitResult(int64_t exchange);

  mlir::Value emitI32(int64_t value);
  mlir::Value emitI64(int64_t value);
  mlir::Value emitWide(mlir::Value value);
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);

  mlir::Value emitNumber(const Item &item);
  mlir::Value emitInput(const Item &item);
  void emitOutput(const Item &item, mlir::Value value);
  mlir::Value emitPlace(mlir::Value memory, int64_t exchange, mlir::Value from,
                        mlir::Value element);
  void emitGive(const Item &item, mlir::Value words, int64_t exchange,
                mlir::ValueRange receivers);

  void emitLoop(mlir::ValueRange parts, int64_t vectors,
                llvm::function_ref<void(Items)> body);
  void emitRun(llvm::function_ref<void()> body);

  const CollectivePlan &plan;
  mlir::ImplicitLocOpBuilder b;
  mlir::Value input, output, state, rank;
  llvm::SmallVector<mlir::Value> peers;
  /// The number of each rank.
  llvm::SmallVector<mlir::Value> all;
  mlir::Value thread, block, own;
  /// The byte of the symmetric memory at which the places of this run begin.
  mlir::Value set;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_COLLECTIVEEMITTER_H
