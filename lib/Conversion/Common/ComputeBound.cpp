//===- ComputeBound.cpp - Ops bound by arithmetic -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/ComputeBound.h"

using namespace mlir;

StringRef grout::getComputeBound(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op)) {
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
        !dims->k.empty())
      return "is a matrix product";
  }
  if (linalg::isaConvolutionOpInterface(op)) {
    FailureOr<linalg::ConvolutionDimensions> dims =
        linalg::inferConvolutionDims(op);
    if (succeeded(dims) && !dims->outputChannel.empty() &&
        !dims->inputChannel.empty())
      return "is a convolution";
  }
  return {};
}
