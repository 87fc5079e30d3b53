//===- Report.h - Output of passes ------------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Prints `text` to standard output in one piece: several threads may run a
/// pass on functions of a module.
void printReport(llvm::StringRef text);

/// Prints `text`, after a line that names `kernel`.
void printReport(KernelOp kernel, llvm::StringRef text);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H
