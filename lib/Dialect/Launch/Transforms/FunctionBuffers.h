//===- FunctionBuffers.h - Buffers for tensors of a function ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::launch {

/// Follows `value` through results of chains, and of kernels that share a
/// launch, to the value that they yield.
mlir::Value getYielded(mlir::Value value);

/// Whether `op` is a kernel, or kernels that share a launch, which no chain has
/// and which needs none.
bool isLaunchWithoutChain(mlir::Operation *op);

/// The plan of a function, without its launches: a buffer for every argument,
/// and for every result of a kernel. If results are concatenated, their buffers
/// are parts of one buffer. Results of the function are written directly into
/// the plan's outputs. An argument that also holds a result shares its buffer,
/// and so do a tensor before and after a kernel updates it in place.
class FunctionBuffers {
public:
  /// Starts the plan of `func`, and inserts it before `func`. On failure, it
  /// leaves no plan, and emits a diagnostic that names the unsupported
  /// construct: an op that is neither a kernel nor a view, a dynamic shape, a
  /// result that is an argument or that is returned twice, a concatenation of a
  /// tensor that is no kernel's result, or a concatenation of a result that is
  /// returned, too.
  static mlir::FailureOr<FunctionBuffers> create(mlir::func::FuncOp func);

  PlanOp getPlan() const { return plan; }
  /// Returns the buffer of `value`, an argument, a kernel's result or a
  /// concatenation; null if `value` is none of these.
  mlir::Value lookup(mlir::Value value) const { return buffers.lookup(value); }

private:
  explicit FunctionBuffers(mlir::func::FuncOp func) : func(func) {}

  mlir::LogicalResult addResults();
  mlir::LogicalResult addResult(mlir::OpOperand &returned);
  mlir::LogicalResult addConcatenation(mlir::tensor::ConcatOp op);
  void addBuffers(mlir::Operation *kernel);
  mlir::Value createBuffer(mlir::Value value, mlir::StringRef name);

  mlir::func::FuncOp func;
  PlanOp plan;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// For kernels' results and concatenations that are returned: the arguments
  /// of the plan that hold them.
  llvm::DenseMap<mlir::Value, mlir::Value> returned;
  unsigned numKernels = 0;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FUNCTIONBUFFERS_H
