//===- RegisterImage.h - All that is added to Grout -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_REGISTERIMAGE_H
#define IMAGE_REGISTERIMAGE_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace image {

/// Registers the dialects of Grout and of this compiler, its targets and its
/// policies. Called once, before anything is compiled.
void registerImage(mlir::DialectRegistry &registry);

} // namespace image

#endif // IMAGE_REGISTERIMAGE_H
