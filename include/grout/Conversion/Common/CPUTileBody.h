//===- CPUTileBody.h - The frame of a CPU tile body -------------*- C++ -*-===//
//
// Part of Grout. Every tile body for the CPU has the same frame around its own
// work: the signature of grout-c/TileABI.h, and the buffers that its context
// leads to.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_CPUTILEBODY_H
#define GROUT_CONVERSION_COMMON_CPUTILEBODY_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// The largest number of coordinates that a task has, on any target.
inline constexpr unsigned kMaxGridRank = 3;

/// The most bytes that local arrays of a body may take: a quarter of the usual
/// 8 MiB of a worker thread's stack.
inline constexpr int64_t kMaxLocalBytes = 2 << 20;

/// The distinct buffers of a launch. On the CPU, they are its arguments.
class LaunchBuffers {
public:
  /// Returns the position of `buffer` among the arguments, and adds `buffer` if
  /// it is new.
  unsigned getIndex(mlir::Value buffer);
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }
  /// Returns the launch.arg of each buffer.
  llvm::SmallVector<mlir::Attribute> getArgs(mlir::MLIRContext *context) const;

private:
  llvm::SmallVector<mlir::Value> buffers;
};

/// Changes `grid` to a grid of 1 to kMaxGridRank dimensions, as CPUTileBody
/// takes it, and `order` to a map of its coordinates. The outermost dimensions
/// of a larger grid become one dimension. A grid without dimensions gets one of
/// extent 1.
void packGrid(llvm::SmallVectorImpl<int64_t> &grid, mlir::AffineMap &order);

/// A tile body under construction: a `func.func` in the module of a launch.
/// Callers add code at `builder`. The body is complete at any time.
struct CPUTileBody {
  /// Begins the body `name` in `module`, for a tile kernel of any `grid`.
  /// `buffers` are those of its launch.
  CPUTileBody(mlir::ModuleOp module, llvm::StringRef name, mlir::Location loc,
              llvm::ArrayRef<int64_t> grid, LaunchBuffers &buffers);

  /// Inserts before the body's terminator.
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// The tile's coordinates, of index type.
  llvm::SmallVector<mlir::Value> tile;

  /// Returns the address of a buffer of the plan.
  mlir::Value getAddress(mlir::Value buffer);
  /// Returns the result of an earlier getAddress(`buffer`), or null if there
  /// was no such call.
  mlir::Value lookupAddress(mlir::Value buffer) const {
    return addresses.lookup(buffer);
  }
  /// Returns `view` as a memref.
  mlir::Value getMemRef(const BufferView &view);
  /// Returns the launch's semaphores: on the CPU, the context, which holds
  /// them.
  mlir::Value getSemaphores();
  /// Creates an uninitialised local array.
  mlir::Value createLocal(llvm::ArrayRef<int64_t> shape,
                          mlir::Type elementType);

  mlir::Value createIndex(int64_t value);

  mlir::func::FuncOp getFunction() const { return func; }

private:
  mlir::OpBuilder getEntryBuilder();

  mlir::func::FuncOp func;
  LaunchBuffers &buffers;
  llvm::DenseMap<mlir::Value, mlir::Value> addresses;
};

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_CPUTILEBODY_H
