//===- Input.h - Reads what grout-compile compiles --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_COMPILE_INPUT_H
#define GROUT_TOOLS_GROUT_COMPILE_INPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include <vector>

namespace grout::compile {

/// What users call the tensors of a function.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// By function.
  llvm::StringMap<TensorNames> names;
};

/// Parses the main buffer of `sources`, MLIR as text or bytecode. Tensors are
/// named by the attribute `grout.name` of an argument or result, else by what
/// the text calls the argument. The module is null if there was an error,
/// which has been reported.
Input parseInput(llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace grout::compile

#endif // GROUT_TOOLS_GROUT_COMPILE_INPUT_H
