//===- Program.h - The program to compile -----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_COMPILER_PROGRAM_H
#define GROUT_COMPILER_PROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include <vector>

namespace grout {

/// The users' names for the tensors of a function.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Maps the name of each function to the names of its tensors.
  llvm::StringMap<TensorNames> names;
};

/// Parses the main buffer of `sources`, which is MLIR text or bytecode. A
/// tensor's name is the attribute `grout.name` of the argument or result, or
/// else the name of the argument in the text. If there is a public function on
/// tensors, the result has no functions that are private or without tensors,
/// unless another remaining function refers to them. If there is an error,
/// reports it, and returns a null module.
Program parseProgram(llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace grout

#endif // GROUT_COMPILER_PROGRAM_H
