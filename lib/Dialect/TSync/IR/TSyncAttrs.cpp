//===- TSyncAttrs.cpp - Attributes and types of the tsync dialect ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineRange.h"
#include "grout/Dialect/TSync/IR/TSync.h"

#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

#include "grout/Dialect/TSync/IR/TSyncEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/TSync/IR/TSyncAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "grout/Dialect/TSync/IR/TSyncTypes.cpp.inc"

void TSyncDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "grout/Dialect/TSync/IR/TSyncAttrs.cpp.inc"
      >();
}

void TSyncDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "grout/Dialect/TSync/IR/TSyncTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ExecutionAttr
//===----------------------------------------------------------------------===//

Attribute ExecutionAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<Mode> mode = FieldParser<Mode>::parse(parser);
  if (failed(mode))
    return {};
  bool selectsEdges = succeeded(parser.parseOptionalComma());
  if ((selectsEdges && parser.parseKeyword("selects_edges")) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ExecutionAttr>(loc, parser.getContext(), *mode,
                                          selectsEdges);
}

void ExecutionAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyMode(getMode());
  if (getSelectsEdges())
    printer << ", selects_edges";
  printer << ">";
}

LogicalResult
ExecutionAttr::verify(function_ref<InFlightDiagnostic()> emitError, Mode mode,
                      bool selectsEdges) {
  if (selectsEdges && !startsEarly(getLaunchWait(mode)))
    return emitError() << "edges have modes of their own in mode overlap or "
                          "pdl, not in mode "
                       << stringifyMode(mode);
  return success();
}

//===----------------------------------------------------------------------===//
// PolicyAttr
//===----------------------------------------------------------------------===//

int64_t PolicyAttr::getNumSemaphores() const {
  int64_t count = 1;
  for (int64_t extent : getShape())
    count *= extent;
  return count;
}

int64_t PolicyAttr::getCount(int64_t semaphore) const {
  return getCounts().size() == 1 ? getCounts()[0] : getCounts()[semaphore];
}

PolicyAttr PolicyAttr::withCounts(ArrayRef<int64_t> counts) const {
  return get(getContext(), getSemaphore(), getShape(), counts, getLower(),
             getUpper(), getGuard());
}

std::optional<int64_t> PolicyAttr::getUniformCount() const {
  if (llvm::all_equal(getCounts()))
    return getCounts().front();
  return std::nullopt;
}

LogicalResult PolicyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 AffineMap semaphore, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> counts, AffineMap lower,
                                 AffineMap upper, AffineMap guard) {
  unsigned rank = shape.size();
  int64_t semaphores = 1;
  for (int64_t extent : shape) {
    if (extent <= 0)
      return emitError() << "semaphore array needs positive extents, got "
                         << extent;
    if (semaphores > kernelabi::kMaxSemaphores / extent)
      return emitError() << "more than " << kernelabi::kMaxSemaphores
                         << " semaphores";
    semaphores *= extent;
  }
  if (semaphore.getNumResults() != rank || semaphore.getNumSymbols() != 0)
    return emitError() << "semaphore map must have " << rank
                       << " results and no symbols";
  if (lower.getNumResults() != rank || upper.getNumResults() != rank ||
      lower.getNumSymbols() != 0 || upper.getNumSymbols() != 0)
    return emitError() << "lower and upper maps must have " << rank
                       << " results and no symbols";
  if (lower.getNumDims() != upper.getNumDims())
    return emitError() << "lower and upper maps must take the same coordinates";
  if (guard && (guard.getNumDims() + 1 != lower.getNumDims() ||
                guard.getNumSymbols() != 0 || guard.getNumResults() == 0))
    return emitError() << "guard must take the tile coordinates that lower and "
                          "upper maps take before the step, to values";
  for (AffineMap map : {semaphore, lower, upper, guard})
    if (llvm::Error error = map ? checkDivisors(map) : llvm::Error::success())
      return emitError() << llvm::toString(std::move(error));
  if (counts.size() != 1 && static_cast<int64_t>(counts.size()) != semaphores)
    return emitError() << "needs one count, or one for each of " << semaphores
                       << " semaphores, got " << counts.size();
  for (int64_t count : counts)
    if (count < 0 || count > INT32_MAX)
      return emitError() << "count out of range: " << count;
  return success();
}

/// Parses `name = ` before a field.
static ParseResult parseField(AsmParser &parser, StringRef name) {
  return failure(parser.parseKeyword(name) || parser.parseEqual());
}

/// Parses `affine_map<...>`.
static ParseResult parseMap(AsmParser &parser, AffineMap &map) {
  AffineMapAttr attr;
  if (parser.parseAttribute(attr))
    return failure();
  map = attr.getValue();
  return success();
}

/// Parses `[1, 2, 3]`, which may be empty.
static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

Attribute PolicyAttr::parse(AsmParser &parser, Type) {
  AffineMap semaphore, lower, upper, guard;
  SmallVector<int64_t> shape, counts;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseField(parser, "semaphore") ||
      parseMap(parser, semaphore) || parser.parseComma() ||
      parseField(parser, "shape") || parseIntegers(parser, shape) ||
      parser.parseComma() || parseField(parser, "counts") ||
      parseIntegers(parser, counts) || parser.parseComma() ||
      parseField(parser, "lower") || parseMap(parser, lower) ||
      parser.parseComma() || parseField(parser, "upper") ||
      parseMap(parser, upper))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parseField(parser, "guard") || parseMap(parser, guard)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PolicyAttr>(loc, parser.getContext(), semaphore,
                                       shape, counts, lower, upper, guard);
}

void PolicyAttr::print(AsmPrinter &printer) const {
  printer << "<semaphore = " << AffineMapAttr::get(getSemaphore())
          << ", shape = [";
  llvm::interleaveComma(getShape(), printer);
  printer << "], counts = [";
  llvm::interleaveComma(getCounts(), printer);
  printer << "], lower = " << AffineMapAttr::get(getLower())
          << ", upper = " << AffineMapAttr::get(getUpper());
  if (getGuard())
    printer << ", guard = " << AffineMapAttr::get(getGuard());
  printer << ">";
}
