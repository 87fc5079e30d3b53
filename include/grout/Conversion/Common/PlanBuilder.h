//===- PlanBuilder.h - From a function of chains to a plan ------*- C++ -*-===//
//
// Part of Grout. The part of code generation that no target changes: buffers
// for the tensors of a function, and the launch.plan around its launches.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_PLANBUILDER_H
#define GROUT_CONVERSION_COMMON_PLANBUILDER_H

#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout {

/// A tensor as a part of a buffer. Dense buffers are row-major; a view of one
/// may start anywhere and have any strides.
struct BufferView {
  /// The launch.plan's value (an argument, or a launch.buffer).
  mlir::Value buffer;
  /// Of the first element, in elements.
  int64_t offset = 0;
  /// Extents and strides in elements, outermost first.
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;
  mlir::Type elementType;
};

/// Builds the `launch.plan` of a function of chains, and of kernels that are in
/// none.
///
/// Use: `create`, then for each chain and each of its kernels, or each kernel,
/// in order ask for the views of operands and results, emit code, and
/// `addLaunch`; `finish` replaces the function.
class PlanBuilder {
public:
  /// Starts the plan of `func`. Fails with a diagnostic that names what is not
  /// supported: an op outside chains, a dynamic shape, a result that is an
  /// argument or that is returned twice.
  static mlir::FailureOr<PlanBuilder> create(mlir::func::FuncOp func);

  /// The launches of memory-bound kernels, which are in no chain, in order:
  /// scop.kernel and scop.launch ops.
  llvm::ArrayRef<mlir::Operation *> getScopLaunches() const {
    return scopLaunches;
  }

  /// The part of a buffer that holds `tensor`: a function argument, a kernel's
  /// result, or a view of one. Fails with a diagnostic at `user` if it is a
  /// view that is not a strided part of a buffer.
  mlir::FailureOr<BufferView> getView(mlir::Value tensor,
                                      mlir::Operation *user);

  /// A new buffer that only launches use.
  BufferView createBuffer(mlir::Location loc, mlir::RankedTensorType type);

  /// What a launch needs beside its buffers; see launch.kernel.
  struct Launch {
    std::string name;
    std::string module;
    llvm::SmallVector<std::string> entries;
    /// Views whose buffers are the launch's operands, by ArgAttr::operand.
    llvm::SmallVector<mlir::Value> buffers;
    llvm::SmallVector<mlir::Attribute> args;
    llvm::SmallVector<llvm::SmallVector<int64_t>> grids;
    llvm::SmallVector<mlir::AffineMap> order;
    launch::Edge edge = launch::Edge::full;
    int64_t semaphores = 0;
    int64_t residents = 1;
    int64_t block = 0;
    int64_t cluster = 1;
    int64_t sharedMemory = 0;
    int64_t blocksPerProcessor = 1;
    /// Blocks of each kernel, if several share it.
    llvm::SmallVector<int64_t> parts;
  };
  void addLaunch(mlir::Location loc, const Launch &launch);
  /// How many have been added.
  int64_t getNumLaunches() const { return numLaunches; }
  /// The launch, by number, whose synchronisation state has the semaphores of
  /// the next launch, that of `kernel` in a chain with the semaphores `layout`;
  /// none if it uses none, or has them itself. It is that of the chain's first
  /// kernel that uses any.
  std::optional<int64_t>
  getSemaphoresLaunch(TileKernelOpInterface kernel,
                      const SemaphoreLayout &layout) const;

  /// Replaces the function by its plan.
  launch::PlanOp finish();

private:
  PlanBuilder(mlir::func::FuncOp func) : func(func) {}

  mlir::func::FuncOp func;
  launch::PlanOp plan;
  llvm::SmallVector<tsync::ChainOp> chains;
  llvm::SmallVector<mlir::Operation *> scopLaunches;
  llvm::DenseMap<mlir::Value, BufferView> views;
  int64_t numLaunches = 0;
};

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_PLANBUILDER_H
