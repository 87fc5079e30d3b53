//===- Convolution.h - linalg ops that are 2-D convolutions -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H

#include "Contraction.h"

namespace grout {

/// A tensor in the order of dimensions that a convolution has it in: dimension
/// i of what `tgemm.conv2d` takes or gives is dimension `order[i]` of it. If
/// there is one more, that is a group, of whose elements each has all of the
/// dimension that is named in parentheses below.
struct OrderedTensor {
  mlir::Value tensor;
  llvm::SmallVector<int64_t, 5> order;
};

/// A linalg op seen as what `tgemm.conv2d` computes, onto `init`.
struct Convolution {
  mlir::linalg::LinalgOp op;
  /// image, row, column, (channel); without what `tensor.pad` adds.
  OrderedTensor input;
  /// (feature), row, column, channel.
  OrderedTensor filter;
  /// image, row, column, (feature).
  OrderedTensor result;
  /// As attributes of `tgemm.conv2d`.
  llvm::SmallVector<int64_t, 2> strides, dilations;
  llvm::SmallVector<int64_t, 4> padding;
  int64_t groups = 1;
  /// What the sums start from; null if that is zero.
  mlir::Value init;
};

/// Matches convolutions over images, of any order of dimensions, in one group
/// or several, as named ops or `linalg.generic`. A `tensor.pad` of zeros that
/// makes the input is part of it.
mlir::FailureOr<Convolution> matchConvolution(mlir::linalg::LinalgOp op,
                                              Refusal &refusal);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H
