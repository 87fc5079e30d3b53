//===- TileKernel.h - Tile grids and element accesses -----------*- C++ -*-===//
//
// Part of Grout. Plain data that describes the elements that a tile kernel
// touches. Both the isl analysis and the interpreter start from it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILEKERNEL_H
#define GROUT_ANALYSIS_TILEKERNEL_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <variant>

namespace grout {

/// A kernel whose work is a grid of tiles, each of which runs `steps` steps.
struct TileKernel {
  /// Names the kernel in relations and messages.
  std::string name;
  /// Number of tiles in each dimension, outermost first. A
  /// mlir::ShapedType::kDynamic entry becomes a parameter of the analysis.
  llvm::SmallVector<int64_t> grid;
  /// K steps of a tile; 1 if it has none. May be kDynamic.
  int64_t steps = 1;
  /// Parameter names of the dynamic grid dimensions, by dimension. A dimension
  /// beyond the end of the list has the name `<name>_<dim>`. Kernels with equal
  /// dynamic sizes should share a parameter, because the analysis has no other
  /// way to know that the sizes are equal.
  llvm::SmallVector<std::string> gridParameters;
  /// Steps of a *run*: steps [i * stepsInOrder, (i + 1) * stepsInOrder) of a
  /// tile run one after another, and other runs run beside them. So a wait in
  /// one run does not order the steps of another run. If not given, all steps
  /// are one run.
  std::optional<int64_t> stepsInOrder = std::nullopt;

  /// Returns the parameter that stands for grid dimension `dim`, if it is
  /// dynamic.
  std::string getGridParameter(unsigned dim) const;
  /// Returns the parameter that stands for a dynamic step count.
  std::string getStepParameter() const { return name + "_steps"; }
  /// Returns whether a tile may have more than one run.
  bool hasRuns() const {
    return stepsInOrder &&
           (mlir::ShapedType::isDynamic(steps) || *stepsInOrder < steps);
  }
};

/// A view-like op between an access and the tensor whose memory is accessed: a
/// function from elements of the view to elements of its source.
struct View {
  struct Slice {
    llvm::SmallVector<int64_t> offsets, sizes, strides;
  };
  struct Reshape {
    llvm::SmallVector<int64_t> viewShape, sourceShape;
  };
  struct Transpose {
    llvm::SmallVector<int64_t> permutation;
  };

  std::variant<Slice, Reshape, Transpose> form;

  /// Makes view[i] = source[offsets[i] + i * strides[i]], of shape `sizes`.
  static View slice(llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides);
  /// Makes a view whose elements have the same row-major positions as in the
  /// source. Both shapes are static, but a dynamic dimension is allowed if it
  /// is a dimension of its own in both.
  static View reshape(llvm::ArrayRef<int64_t> viewShape,
                      llvm::ArrayRef<int64_t> sourceShape);
  /// Makes dimension i of the view dimension permutation[i] of the source, as
  /// in linalg.transpose.
  static View transpose(llvm::ArrayRef<int64_t> permutation);
};

/// The elements that a tile touches in a step, as elements of the tensor in the
/// kernel's operand, and the views from this tensor to the root tensor.
struct ElementAccess {
  /// (tile..., step, local...) -> element of a tensor of shape `shape`. No
  /// symbols.
  mlir::AffineMap map;
  /// Extents of the local coordinates: 0 <= local < localSizes. Static.
  llvm::SmallVector<int64_t> localSizes;
  /// Elements outside 0 <= element < shape are not accessed; a dynamic size
  /// does not clip from above.
  llvm::SmallVector<int64_t> shape;
  /// The views, applied in order to the elements; the last one maps to the root
  /// tensor.
  llvm::SmallVector<View> views;
  /// Expressions over the dimensions of `map`. A point where one of them is
  /// negative accesses nothing. Examples are causal attention, or an operand
  /// that only the last step reads.
  llvm::SmallVector<mlir::AffineExpr> guards;
};

} // namespace grout

#endif // GROUT_ANALYSIS_TILEKERNEL_H
