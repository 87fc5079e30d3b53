//===- Report.h - What passes print -----------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Prints `text` on the standard output, as a whole: several threads may run a
/// pass on functions of a module.
void printReport(llvm::StringRef text);

/// The same, after a line that says which kernel it is about.
void printReport(KernelOp kernel, llvm::StringRef text);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_REPORT_H
