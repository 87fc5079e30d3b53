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
/// symmetric memory on each rank. Subclasses exchange data.
class AllReduceEmitter {
public:
  AllReduceEmitter(mlir::LLVM::LLVMFuncOp func, const AllReducePlan &plan,
                   BufferView inputView, BufferView outputView);
  virtual ~AllReduceEmitter();

  /// Emits the whole kernel, which waits for launches as `sync` says.
  void emit(const TileSynchronisation &sync);

protected:
  /// Emits the algorithms of AllReducePlan.
  virtual void emitOneShot() = 0;
  virtual void emitTwoShots() = 0;

  mlir::Value emitI32(int64_t value);
  mlir::Value emitI64(int64_t value);
  mlir::Value emitWide(mlir::Value value);
  mlir::Value emitSelectedPeer(mlir::Value number);
  mlir::Value emitPlace(mlir::Value of);
  mlir::Value emitParitySet();
  mlir::Value emitBelow(mlir::Value value, int64_t end);
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);

  ElementRange emitChunk();
  ElementRange emitShare(mlir::Value ofRank);
  ElementRange emitShareOfSums(mlir::Value ofRank);

  mlir::Value emitInput(mlir::Value element);
  void emitOutput(mlir::Value value, mlir::Value element);
  mlir::Value emitSum(mlir::ValueRange terms);

  const AllReducePlan &plan;
  mlir::ImplicitLocOpBuilder b;
  mlir::Value state, rank;
  llvm::SmallVector<mlir::Value> peers;
  mlir::Value thread, block, epoch, own;
  /// The elements that a thread loads at once.
  mlir::VectorType type;

private:
  mlir::Value emitAddress(mlir::Value pointer, const BufferView &view,
                          mlir::Value element);

  BufferView inputView, outputView;
  mlir::Value input, output;
};

/// Exchanges data by semaphores.
class SemaphoreAllReduce : public AllReduceEmitter {
public:
  using AllReduceEmitter::AllReduceEmitter;

protected:
  void emitOneShot() override;
  void emitTwoShots() override;

private:
  /// Load or store a vector of range `number`.
  using Load = llvm::function_ref<mlir::Value(int64_t number, ElementRange)>;
  using Store =
      llvm::function_ref<void(int64_t number, mlir::Value, ElementRange)>;

  void emitLoop(int64_t elements, llvm::ArrayRef<ElementRange> firsts,
                int64_t loads, Load load, Store store);
  void emitExchange(int64_t phase);
  void emitEndOfRun();
  mlir::Value emitRemote(mlir::Value pointer, mlir::Value byte,
                         mlir::Value element);
  mlir::Value emitLoad(mlir::Value address);
  void emitStore(mlir::Value value, mlir::Value address);
  mlir::Value emitSumOfPlaces(ElementRange at, mlir::Value set);
  void emitUnlessRank(int64_t number, llvm::function_ref<void()> body);
};

/// Exchanges data in packets.
class PacketAllReduce : public AllReduceEmitter {
public:
  using AllReduceEmitter::AllReduceEmitter;

protected:
  void emitOneShot() override;
  void emitTwoShots() override;

private:
  /// Packets of a place: `vectors` vectors, from byte `begin` on.
  struct Packets {
    mlir::Value begin;
    int64_t vectors;
  };

  /// A vector of a range. If the tensor does not have it, `toReceive` and
  /// `toLoad` are another vector's element, in the places and the tensor.
  struct Item {
    ElementRange at;
    mlir::Value isThere, toReceive, toLoad;
  };

  Packets getPlace(mlir::Value of, mlir::Value set);
  mlir::Value emitPacket(mlir::Value pointer, const Packets &packets,
                         int64_t word, mlir::Value element);
  void emitSend(mlir::Value value, mlir::Value pointer, const Packets &packets,
                mlir::Value element);
  llvm::SmallVector<mlir::Value>
  emitReceive(llvm::ArrayRef<Packets> packets,
              llvm::ArrayRef<mlir::Value> elements);
  void emitLoop(int64_t elements, llvm::ArrayRef<ElementRange> firsts,
                llvm::function_ref<void(llvm::ArrayRef<Item>)> body);
  void emitRun(llvm::function_ref<void()> body);
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_COLLECTIVETONVVM_ALLREDUCEEMITTER_H
