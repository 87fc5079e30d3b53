//===- DiagnosticList.cpp - Diagnostics as data ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DiagnosticList.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace grout;

static grout_severity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return GROUT_SEVERITY_ERROR;
  case DiagnosticSeverity::Warning:
    return GROUT_SEVERITY_WARNING;
  case DiagnosticSeverity::Remark:
    return GROUT_SEVERITY_REMARK;
  case DiagnosticSeverity::Note:
    return GROUT_SEVERITY_NOTE;
  }
  llvm_unreachable("unknown severity");
}

/// Splits the name of an op from the beginning of a message. The message is
/// "'name' op ...", as emitOpError writes it, or "'name' ...".
static void splitMessage(DiagnosticRecord &record) {
  record.reason = record.message;
  StringRef rest = record.message;
  if (!rest.consume_front("'"))
    return;
  auto [name, reason] = rest.split("' ");
  bool isName = name.contains('.') && llvm::all_of(name, [](char c) {
                  return llvm::isAlnum(c) || c == '_' || c == '.';
                });
  if (!isName || reason.empty())
    return;
  reason.consume_front("op ");
  record.op = name.str();
  record.reason = reason.str();
}

/// Returns the first op that a message quotes, or "".
static StringRef findQuotedOp(StringRef message, MLIRContext *context) {
  SmallVector<StringRef> parts;
  message.split(parts, '\'');
  // A message may also have apostrophes. So the name may be any part between
  // two of them.
  for (StringRef part : parts)
    if (RegisteredOperationName::lookup(part, context))
      return part;
  return "";
}

/// Returns the first place in a file that `location` names, or null.
static FileLineColLoc findFile(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static DiagnosticRecord makeRecord(const Diagnostic &diagnostic) {
  DiagnosticRecord record;
  record.severity = getSeverity(diagnostic.getSeverity());
  record.message = diagnostic.str();
  splitMessage(record);
  if (record.op.empty() && diagnostic.getSeverity() != DiagnosticSeverity::Note)
    record.op =
        findQuotedOp(record.message, diagnostic.getLocation().getContext());
  if (FileLineColLoc place = findFile(diagnostic.getLocation())) {
    record.file = place.getFilename().str();
    record.line = place.getLine();
    record.column = place.getColumn();
  }
  llvm::raw_string_ostream os(record.location);
  diagnostic.getLocation().print(os);
  return record;
}

void grout::append(std::vector<DiagnosticRecord> &list,
                   const Diagnostic &diagnostic) {
  list.push_back(makeRecord(diagnostic));
  for (const Diagnostic &note : diagnostic.getNotes())
    list.push_back(makeRecord(note));
}
