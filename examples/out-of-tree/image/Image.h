//===- Image.h - A dialect of filters ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "image/ImageDialect.h.inc"

#define GET_OP_CLASSES
#include "image/ImageOps.h.inc"

#endif // IMAGE_IMAGE_H
