//===- KernelModel.h - Strides and dependences of a kernel ------*- C++ -*-===//
//
// Part of Grout. The integers that optimisers need to know of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Scheduling/SchedulingProblem.h"

namespace grout::scop {

struct AccessModel {
  mlir::Value array;
  bool isWrite;
  /// The sizes in bytes of an element, and of the array.
  int64_t bytes, arrayBytes;
  /// Whether the access is affine without divisions, and its array has static
  /// strides.
  bool isLinear;
  /// The first element, and the stride in elements for each iterator of the
  /// statement. If the access divides, they hold where no quotient changes. If
  /// the array has dynamic strides, there are none.
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

struct StatementModel {
  StmtOp op;
  std::string name;
  llvm::SmallVector<int64_t> extents;
  /// For each iterator, whether the statement combines over it.
  llvm::SmallVector<bool> reduces;
  std::vector<AccessModel> accesses;
  /// Whether the statement depends on the result of another op of the program.
  bool isLate = false;

  bool isReduction() const { return llvm::is_contained(reduces, true); }
};

/// Instances of `target` depend on instances of `source`.
struct DependenceModel {
  unsigned source, target;
  /// Pairs of iterators that are equal throughout.
  std::vector<std::pair<unsigned, unsigned>> equal;
};

struct KernelModel {
  std::vector<StatementModel> statements;
  std::vector<DependenceModel> dependences;

  /// Models `kernel`. Fails if isl does.
  static llvm::Expected<KernelModel> create(KernelOp kernel,
                                            const SchedulingProblem &problem);
};

/// Models the statement `op` and its accesses.
StatementModel modelStatement(StmtOp op);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_KERNELMODEL_H
