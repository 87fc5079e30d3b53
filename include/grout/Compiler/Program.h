//===- Program.h - What is compiled -----------------------------*- C++ -*-===//
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

/// What users call the tensors of a function.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// By function.
  llvm::StringMap<TensorNames> names;
};

/// Parses the main buffer of `sources`, MLIR as text or bytecode. Tensors are
/// named by the attribute `grout.name` of an argument or result, else by what
/// the text calls the argument. If there is a public function on tensors, those
/// that are private, or without tensors, are left out, unless another one
/// refers to them. The module is null if there was an error, which has been
/// reported.
Program parseProgram(llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace grout

#endif // GROUT_COMPILER_PROGRAM_H
