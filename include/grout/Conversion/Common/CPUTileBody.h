//===- CPUTileBody.h - The frame of a CPU tile body -------------*- C++ -*-===//
//
// Part of Grout. What every tile body for the CPU has around its own work: the
// signature of grout-c/TileABI.h, and the buffers behind its context.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_CPUTILEBODY_H
#define GROUT_CONVERSION_COMMON_CPUTILEBODY_H

#include "grout/Conversion/Common/LaunchTensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace grout {

/// The most coordinates that a task has, on any target.
inline constexpr unsigned kMaxGridRank = 3;

/// Worker threads have the usual 8 MiB of stack; local arrays of a body may
/// take a quarter of it.
inline constexpr int64_t kMaxLocalBytes = 2 << 20;

/// The distinct buffers of a launch, which are its arguments on the CPU.
class LaunchBuffers {
public:
  /// The position of `buffer` among the arguments, added if it is new.
  unsigned getIndex(mlir::Value buffer);
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }
  /// The launch.arg of each buffer.
  llvm::SmallVector<mlir::Attribute> getArgs(mlir::MLIRContext *context) const;

private:
  llvm::SmallVector<mlir::Value> buffers;
};

/// Makes `grid` one of 1 to kMaxGridRank dimensions, and `order` a map of its
/// coordinates: the outermost dimensions of a larger grid become one, and a
/// grid of none gets one of extent 1. CPUTileBody takes tasks of such a grid.
void packGrid(llvm::SmallVectorImpl<int64_t> &grid, mlir::AffineMap &order);

/// A tile body under construction: a `func.func` in the module of a launch.
/// Code is added at `builder`; the body is complete at any time.
struct CPUTileBody {
  /// Starts body `name` of a launch in `module`, for a kernel whose tile grid
  /// is `grid`, of any rank.
  CPUTileBody(mlir::ModuleOp module, llvm::StringRef name, mlir::Location loc,
              llvm::ArrayRef<int64_t> grid, LaunchBuffers &buffers);

  /// Inserts before the body's end.
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// The tile's coordinates, of index type.
  llvm::SmallVector<mlir::Value> tile;

  /// The address of a buffer of the plan.
  mlir::Value getAddress(mlir::Value buffer);
  /// What getAddress returned for `buffer`; null if nobody has asked.
  mlir::Value lookupAddress(mlir::Value buffer) const {
    return addresses.lookup(buffer);
  }
  /// The memref that `view` is.
  mlir::Value getMemRef(const BufferView &view);
  /// The launch's semaphores: the context, which has them on the CPU.
  mlir::Value getSemaphores();
  /// An uninitialised local array.
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
