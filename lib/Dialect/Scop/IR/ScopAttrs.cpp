//===- ScopAttrs.cpp - Attributes of the scop dialect ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

#include "grout/Scheduling/Schedule.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/Scop/IR/ScopAttrs.cpp.inc"

void ScopDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "grout/Dialect/Scop/IR/ScopAttrs.cpp.inc"
      >();
}

/// Reports that `what` was expected at `location`.
static LogicalResult expected(AsmParser &parser, SMLoc location,
                              const Twine &what) {
  return parser.emitError(location, "expected " + what);
}

/// Parses a number that is not negative.
static ParseResult parseUnsigned(AsmParser &parser, unsigned &value) {
  SMLoc location = parser.getCurrentLocation();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > INT32_MAX)
    return expected(parser, location, "a number from 0 to 2147483647");
  value = static_cast<unsigned>(number);
  return success();
}

/// Parses a whole attribute: angle brackets around the text that `parseBody`
/// reads.
template <typename T> static Attribute parseInBrackets(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  FailureOr<T> attr = T::parseBody(parser);
  if (failed(attr) || parser.parseGreater())
    return {};
  return *attr;
}

//===----------------------------------------------------------------------===//
// ExecutionAttr
//===----------------------------------------------------------------------===//

FailureOr<ExecutionAttr> ExecutionAttr::parseBody(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  std::optional<Mapping> mapping;
  unsigned vectorWidth = 1;
  SmallVector<StringAttr> statements;
  if (succeeded(parser.parseOptionalKeyword("map"))) {
    FailureOr<Mapping> parsed = FieldParser<Mapping>::parse(parser);
    if (failed(parsed))
      return failure();
    mapping.emplace(*parsed);
  }
  if (succeeded(parser.parseOptionalKeyword("vector")) &&
      parseUnsigned(parser, vectorWidth))
    return failure();
  bool masked = succeeded(parser.parseOptionalKeyword("masked"));
  if (succeeded(parser.parseOptionalKeyword("of")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseSymbolName(statements.emplace_back());
      }))
    return failure();
  auto execution = parser.getChecked<ExecutionAttr>(
      location, parser.getContext(), mapping, vectorWidth, masked, statements);
  if (!execution)
    return failure();
  return execution;
}

void ExecutionAttr::printBody(AsmPrinter &printer) const {
  llvm::ListSeparator space(" ");
  if (getMapping())
    printer << StringRef(space) << "map " << *getMapping();
  if (getVectorWidth() != 1)
    printer << StringRef(space) << "vector " << getVectorWidth();
  if (getMasked())
    printer << StringRef(space) << "masked";
  if (getVectorStatements().empty())
    return;
  printer << StringRef(space) << "of [";
  llvm::interleaveComma(
      getVectorStatements(), printer,
      [&](StringAttr statement) { printer.printSymbolName(statement); });
  printer << "]";
}

Attribute ExecutionAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets<ExecutionAttr>(parser);
}

void ExecutionAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer);
  printer << ">";
}

LogicalResult
ExecutionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      std::optional<Mapping>, unsigned vectorWidth, bool masked,
                      ArrayRef<StringAttr> vectorStatements) {
  StringRef wrong = LoopExecution::findContradiction(vectorWidth, masked,
                                                     !vectorStatements.empty());
  if (!wrong.empty())
    return emitError() << wrong;
  return success();
}

//===----------------------------------------------------------------------===//
// DimAttr
//===----------------------------------------------------------------------===//

FailureOr<DimAttr> DimAttr::parseBody(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  unsigned band = 0;
  FailureOr<DimKind> kind = FieldParser<DimKind>::parse(parser);
  if (failed(kind) || parser.parseKeyword("band") ||
      parseUnsigned(parser, band))
    return failure();
  bool coincident = succeeded(parser.parseOptionalKeyword("coincident"));
  bool reduction = succeeded(parser.parseOptionalKeyword("reduction"));
  FailureOr<ExecutionAttr> execution = ExecutionAttr::parseBody(parser);
  if (failed(execution))
    return failure();
  auto dim =
      parser.getChecked<DimAttr>(location, parser.getContext(), *kind, band,
                                 coincident, reduction, *execution);
  if (!dim)
    return failure();
  return dim;
}

void DimAttr::printBody(AsmPrinter &printer) const {
  printer << getKind() << " band " << getBand();
  if (getCoincident())
    printer << " coincident";
  if (getReductionParallel())
    printer << " reduction";
  if (getExecution().isEmpty())
    return;
  printer << " ";
  getExecution().printBody(printer);
}

Attribute DimAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets<DimAttr>(parser);
}

void DimAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer);
  printer << ">";
}

LogicalResult DimAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              DimKind kind, unsigned, bool coincident,
                              bool reductionParallel, ExecutionAttr execution) {
  if (coincident && reductionParallel)
    return emitError() << "a dimension is coincident or a parallel reduction, "
                          "not both";
  if (kind == DimKind::Sequence &&
      (coincident || reductionParallel || !execution.isEmpty()))
    return emitError() << "a sequence has no coincidence, vector width or "
                          "mapping";
  return success();
}

//===----------------------------------------------------------------------===//
// ScheduleAttr
//===----------------------------------------------------------------------===//

AffineMap ScheduleAttr::getMap(StringRef name) const {
  for (auto [statement, map] : llvm::zip_equal(getStatements(), getMaps()))
    if (statement == name)
      return map;
  return {};
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimAttr> dims;
  SmallVector<StringAttr> statements;
  SmallVector<AffineMap> maps;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        FailureOr<DimAttr> dim = DimAttr::parseBody(parser);
        if (succeeded(dim))
          dims.push_back(*dim);
        return ParseResult(dim);
      }))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseSymbolName(statements.emplace_back()) ||
        parser.parseEqual() || parser.parseAffineMap(maps.emplace_back()))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ScheduleAttr>(location, parser.getContext(), dims,
                                         statements, maps);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDims(), printer,
                        [&](DimAttr dim) { dim.printBody(printer); });
  printer << "]";
  for (auto [statement, map] : llvm::zip_equal(getStatements(), getMaps())) {
    printer << ", ";
    printer.printSymbolName(statement);
    printer << " = " << map;
  }
  printer << ">";
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<DimAttr> dims,
                                   ArrayRef<StringAttr> statements,
                                   ArrayRef<AffineMap> maps) {
  if (statements.size() != maps.size())
    return emitError() << "a schedule needs one map for each statement";
  llvm::SmallDenseSet<StringAttr> seen;
  for (auto [statement, map] : llvm::zip_equal(statements, maps)) {
    if (!seen.insert(statement).second)
      return emitError() << "the schedule has two maps for @"
                         << statement.getValue();
    if (map.getNumSymbols() != 0 || map.getNumResults() != dims.size())
      return emitError() << "the map of @" << statement.getValue()
                         << " must have " << dims.size()
                         << " results, one for each dimension, and no symbols";
    for (auto [index, dim, row] : llvm::enumerate(dims, map.getResults())) {
      // Without divisions, an affine expression is linear.
      bool divides = row.walk([](AffineExpr expr) {
                          switch (expr.getKind()) {
                          case AffineExprKind::Mod:
                          case AffineExprKind::FloorDiv:
                          case AffineExprKind::CeilDiv:
                            return WalkResult::interrupt();
                          default:
                            return WalkResult::advance();
                          }
                        })
                         .wasInterrupted();
      if (divides || !row.isPureAffine())
        return emitError() << "result " << index << " of the map of @"
                           << statement.getValue() << " is not linear";
      if (dim.getKind() == DimKind::Sequence && !isa<AffineConstantExpr>(row))
        return emitError() << "result " << index << " of the map of @"
                           << statement.getValue()
                           << " must be constant, as dimension " << index
                           << " is a sequence";
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// TermAttr
//===----------------------------------------------------------------------===//

/// Parses the part of a term behind its factor, such as `@X[1] at 0`.
static FailureOr<TermAttr> parseCoefficient(AsmParser &parser, int64_t factor) {
  SMLoc location = parser.getCurrentLocation();
  StringAttr statement;
  std::optional<unsigned> iterator, row;
  if (parser.parseSymbolName(statement) || parser.parseLSquare())
    return failure();
  if (failed(parser.parseOptionalKeyword("const")) &&
      parseUnsigned(parser, iterator.emplace()))
    return failure();
  if (parser.parseRSquare())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("at")) &&
      parseUnsigned(parser, row.emplace()))
    return failure();
  auto term = parser.getChecked<TermAttr>(location, parser.getContext(), factor,
                                          statement, iterator, row);
  if (!term)
    return failure();
  return term;
}

/// Parses a term after its sign; or a constant, if `constant` is not null.
static ParseResult parseSummand(AsmParser &parser, bool negative,
                                SmallVectorImpl<TermAttr> &terms,
                                int64_t *constant) {
  SMLoc location = parser.getCurrentLocation();
  int64_t number = 1;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (parsed.has_value() && failed(*parsed))
    return failure();
  if (number == INT64_MIN)
    return expected(parser, location, "a magnitude below 2^63");
  if (negative)
    number = -number;
  if (parsed.has_value() && failed(parser.parseOptionalStar())) {
    if (!constant)
      return expected(parser, location, "a term");
    if (llvm::AddOverflow(*constant, number, *constant))
      return expected(parser, location, "constants that fit 64 bits");
    return success();
  }
  FailureOr<TermAttr> term = parseCoefficient(parser, number);
  if (failed(term))
    return failure();
  terms.push_back(*term);
  return success();
}

/// Returns the absolute value, also of the smallest number.
static uint64_t magnitude(int64_t value) {
  return value < 0 ? -static_cast<uint64_t>(value) : value;
}

void TermAttr::printBody(AsmPrinter &printer, bool withSign) const {
  if (withSign && magnitude(getFactor()) != 1)
    printer << magnitude(getFactor()) << " * ";
  else if (!withSign && getFactor() != 1)
    printer << getFactor() << " * ";
  printer.printSymbolName(getStatement());
  printer << "[";
  if (getIterator())
    printer << *getIterator();
  else
    printer << "const";
  printer << "]";
  if (getRow())
    printer << " at " << *getRow();
}

Attribute TermAttr::parse(AsmParser &parser, Type) {
  SmallVector<TermAttr> terms;
  if (parser.parseLess() ||
      parseSummand(parser, /*negative=*/false, terms, nullptr) ||
      parser.parseGreater())
    return {};
  return terms.front();
}

void TermAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer, /*withSign=*/false);
  printer << ">";
}

LogicalResult TermAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t factor, StringAttr statement,
                               std::optional<unsigned>,
                               std::optional<unsigned>) {
  if (factor == 0 || factor == INT64_MIN)
    return emitError() << "the coefficient of @" << statement.getValue()
                       << " needs a factor other than 0, with a magnitude "
                          "below 2^63";
  return success();
}

//===----------------------------------------------------------------------===//
// ConstraintAttr
//===----------------------------------------------------------------------===//

FailureOr<ConstraintAttr> ConstraintAttr::parseBody(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<TermAttr> terms;
  int64_t constant = 0;
  bool negative = succeeded(parser.parseOptionalMinus());
  do {
    if (parseSummand(parser, negative, terms, &constant))
      return failure();
    negative = succeeded(parser.parseOptionalMinus());
  } while (negative || succeeded(parser.parseOptionalPlus()));

  // Not '>=': angle brackets in an attribute must be balanced.
  bool equality = succeeded(parser.parseOptionalKeyword("eq"));
  if (!equality && parser.parseKeyword("ge"))
    return failure();
  SMLoc boundLocation = parser.getCurrentLocation();
  int64_t bound = 0;
  if (parser.parseInteger(bound))
    return failure();
  if (llvm::SubOverflow(constant, bound, constant))
    return expected(parser, boundLocation, "constants that fit 64 bits");
  auto constraint = parser.getChecked<ConstraintAttr>(
      location, parser.getContext(), terms, constant, equality);
  if (!constraint)
    return failure();
  return constraint;
}

void ConstraintAttr::printBody(AsmPrinter &printer) const {
  for (auto [index, term] : llvm::enumerate(getTerms())) {
    if (index != 0)
      printer << (term.getFactor() < 0 ? " - " : " + ");
    term.printBody(printer, /*withSign=*/index != 0);
  }
  if (getConstant() != 0)
    printer << (getConstant() < 0 ? " - " : " + ") << magnitude(getConstant());
  printer << (getEquality() ? " eq 0" : " ge 0");
}

Attribute ConstraintAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets<ConstraintAttr>(parser);
}

void ConstraintAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer);
  printer << ">";
}

LogicalResult
ConstraintAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<TermAttr> terms, int64_t constant, bool) {
  if (terms.empty())
    return emitError() << "a constraint needs a coefficient";
  if (constant == INT64_MIN)
    return emitError() << "the constant of a constraint needs a magnitude "
                          "below 2^63";
  return success();
}
