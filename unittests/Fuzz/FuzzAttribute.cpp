//===- FuzzAttribute.cpp - Any text as an attribute -----------------------===//
//
// Part of Grout. Text is parsed as each of Grout's attributes that have a
// syntax of their own; what is one is printed, and parses as the same. Whole
// modules are no use here: upstream's ops crash on the first few.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllDialects.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <memory>

using namespace mlir;

static constexpr llvm::StringLiteral kAttributes[] = {
    "#tgemm.tiling", "#tsync.policy", "#scop.dim",        "#scop.schedule",
    "#scop.term",    "#launch.arg",   "#scop.constraint", "#scop.execution"};

/// A new one now and then: what was parsed stays in a context.
static MLIRContext &getContext() {
  constexpr unsigned kInputs = 1 << 14;
  static unsigned count = 0;
  static std::unique_ptr<MLIRContext> context;
  if (count++ % kInputs == 0) {
    DialectRegistry registry;
    grout::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
  }
  return *context;
}

/// LLVM's allocators poison what they have not given away, in code of headers
/// that is instrumented here, and give it away in libraries that are not.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext &context = getContext();
  std::string parameters(reinterpret_cast<const char *>(data), size);
  for (llvm::StringRef name : kAttributes) {
    Attribute attribute =
        parseAttribute((name + "<" + parameters + ">").str(), &context);
    if (!attribute)
      continue;
    std::string printed;
    llvm::raw_string_ostream(printed) << attribute;
    if (parseAttribute(printed, &context) != attribute)
      llvm::report_fatal_error("an attribute is not parsed as it is printed");
  }
  return 0;
}
