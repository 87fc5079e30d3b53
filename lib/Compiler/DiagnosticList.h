//===- DiagnosticList.h - Diagnostics as data -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_DIAGNOSTICLIST_H
#define GROUT_LIB_COMPILER_DIAGNOSTICLIST_H

#include "grout-c/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include <string>
#include <vector>

namespace grout {

/// A grout_diagnostic that owns its strings.
struct DiagnosticRecord {
  grout_severity severity;
  /// `message` is the whole text of the compiler: op and reason.
  std::string message, op, reason, file, location;
  uint32_t line = 0, column = 0;
};

/// Appends `diagnostic`, and then its notes.
void append(std::vector<DiagnosticRecord> &list,
            const mlir::Diagnostic &diagnostic);

} // namespace grout

#endif // GROUT_LIB_COMPILER_DIAGNOSTICLIST_H
