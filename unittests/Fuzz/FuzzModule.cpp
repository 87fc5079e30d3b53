//===- FuzzModule.cpp - Any text as a module ------------------------------===//
//
// Part of Grout. Text is parsed with all of Grout's dialects and verified; what
// is a module is printed and parsed again.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    grout::registerAllDialects(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->getDiagEngine().registerHandler([](Diagnostic &) {});
    return made;
  }();
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Parsers read to a NUL that ends the text.
  std::string text(reinterpret_cast<const char *>(data), size);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&getContext()));
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream out(printed);
  module->print(out, OpPrintingFlags().printGenericOpForm());
  if (!parseSourceString<ModuleOp>(printed, ParserConfig(&getContext())))
    llvm::report_fatal_error("a module does not parse as it is printed");
  return 0;
}
