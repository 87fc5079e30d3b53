//===- Convolution.h - linalg ops that are 2-D convolutions -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H

#include "Contraction.h"

namespace grout {

/// A tensor, and the order of its dimensions: dimension i of the tensor that
/// `tgemm.conv2d` takes or returns is dimension `order[i]` of this tensor. If
/// there is one more dimension, it numbers groups, and each group has a part of
/// the dimension that is named in parentheses below.
struct OrderedTensor {
  mlir::Value tensor;
  llvm::SmallVector<int64_t, 5> order;
};

/// A linalg op that computes the same as `tgemm.conv2d`, plus `init`.
struct Convolution {
  mlir::linalg::LinalgOp op;
  /// Image, row, column, (channel); without the padding of a `tensor.pad`.
  OrderedTensor input;
  /// (Feature), row, column, channel.
  OrderedTensor filter;
  /// Image, row, column, (feature).
  OrderedTensor result;
  /// Attributes of `tgemm.conv2d`.
  llvm::SmallVector<int64_t, 2> strides, dilations;
  llvm::SmallVector<int64_t, 4> padding;
  int64_t groups = 1;
  /// The initial value of the sums; null if that is zero.
  mlir::Value init;
};

/// Matches convolutions of images with any order of dimensions and any number
/// of groups, as named ops or `linalg.generic`. If a `tensor.pad` of zeros
/// computes the input, that is a part of the match.
mlir::FailureOr<Convolution> matchConvolution(mlir::linalg::LinalgOp op,
                                              Refusal &refusal);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONVOLUTION_H
