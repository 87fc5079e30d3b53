//===- KernelShape.h - A scheduled kernel as loops and phases ---*- C++ -*-===//
//
// Part of Grout. What a GPU needs of a schedule: loops whose iterations are
// independent, and within them phases, one after another, that go through one
// common space of inner loops.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/ThreadMapping/StridedAccess.h"

namespace grout::scop {

struct PhaseStatement {
  StmtOp op;
  llvm::SmallVector<StridedAccess> reads, writes;
  /// The loop of each iterator; none if its extent is 1 and it has no loop.
  llvm::SmallVector<std::optional<unsigned>> loops;
  /// Whether it combines over the inner loops.
  bool isReduction = false;
};

/// Statements that run at every point of the outer loops, and of the inner ones
/// if there are any, in order.
struct Phase {
  bool hasInnerLoops = false;
  std::vector<PhaseStatement> statements;
};

/// What the schedule says of a loop.
struct LoopMark {
  /// Its dimension in the schedule; of several, the first.
  unsigned dim = 0;
  /// Who runs its iterations, and how many at once.
  ExecutionAttr execution;
  /// Whether iterations may run at once, if need be with partial results.
  bool isParallel = false;
};

/// A kernel as loops and phases. Loops are numbered from the outermost; the
/// outer ones are parallel, the inner ones are those of every phase that has
/// some.
struct KernelShape {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<LoopMark> marks;
  unsigned numOuter = 0;
  std::vector<Phase> phases;

  unsigned getNumLoops() const { return extents.size(); }
  int64_t getOuterSize() const;
  int64_t getInnerSize() const;
  bool hasInnerLoops() const { return numOuter != extents.size(); }
  /// Whether threads share out the inner loops; else each goes through them.
  bool sharesInnerLoops() const;
  /// The other loop of a block's tile: an outer one mapped to thread_y.
  std::optional<unsigned> getTileLoop() const;
  /// Whether the access changes with an inner loop.
  bool dependsOnInner(const StridedAccess &access) const;
  /// Whether the access, as a write, reaches each of `elements` elements of a
  /// dense array.
  bool covers(const StridedAccess &access, int64_t elements) const;
  /// Calls `visit` with every access to an array outside the kernel.
  void
  forEachGlobalAccess(llvm::function_ref<void(const StridedAccess &)> visit);
};

/// The layout of an array of a kernel that is all of a buffer.
mlir::StridedLayoutAttr getWholeLayout(mlir::Value array);

/// The shape of `kernel`, whose arguments are the parts of buffers that
/// `getLayout` says; local arrays are dense. Fails with a diagnostic that names
/// what keeps the schedule from having one.
mlir::FailureOr<KernelShape> getKernelShape(
    KernelOp kernel,
    llvm::function_ref<mlir::StridedLayoutAttr(mlir::Value array)> getLayout);

/// Checks that the marks of the loops of `kernel` make sense together.
mlir::LogicalResult checkMarks(KernelOp kernel, const KernelShape &shape);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_KERNELSHAPE_H
