//===- LaunchAttrs.cpp - Attributes of the launch dialect -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"

#include "grout/Dialect/Launch/IR/BufferPlaces.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

#include "grout/Dialect/Launch/IR/LaunchEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/Launch/IR/LaunchAttrs.cpp.inc"

void LaunchDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "grout/Dialect/Launch/IR/LaunchAttrs.cpp.inc"
      >();
}

LogicalResult Im2colAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> lower,
                                 ArrayRef<int64_t> upper,
                                 ArrayRef<int64_t> steps) {
  size_t dims = lower.size();
  if (dims < 1 || dims > kernelabi::kMaxIm2colDims || upper.size() != dims ||
      steps.size() != dims)
    return emitError() << "im2col needs corners and steps of 1 to "
                       << kernelabi::kMaxIm2colDims << " dimensions";
  int64_t limit = kernelabi::getIm2colCornerLimit(dims);
  for (int64_t corner : llvm::concat<const int64_t>(lower, upper))
    if (corner < -limit || corner >= limit)
      return emitError() << "im2col needs corners from " << -limit << " to "
                         << limit - 1 << " in " << dims << " dimensions, got "
                         << corner;
  for (int64_t step : steps)
    if (step < 1 || step > kernelabi::kMaxIm2colStep)
      return emitError() << "im2col needs steps from 1 to "
                         << kernelabi::kMaxIm2colStep << ", got " << step;
  return success();
}

LogicalResult ExchangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t ranks, int64_t bytes, int64_t offset,
                                   bool /*cleared*/) {
  if (ranks < 2 || ranks > kernelabi::kMaxRanks)
    return emitError() << "an exchange has 2 to " << kernelabi::kMaxRanks
                       << " ranks, not " << ranks;
  if (bytes < 1 || bytes > kMaxWorkspaceBytes)
    return emitError() << "an exchange has 1 to 2^40 bytes, not " << bytes;
  if (offset < -1 || offset > kMaxWorkspaceBytes - bytes ||
      (offset > 0 && offset % kernelabi::kBufferAlignment != 0))
    return emitError() << "an exchange is at a multiple of "
                       << kernelabi::kBufferAlignment
                       << " bytes up to 2^40, not at " << offset;
  return success();
}

LogicalResult ArgAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArgKind kind, int64_t operand, int64_t offset,
                              ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides, ArrayRef<int64_t> box,
                              Swizzle swizzle, Im2colAttr im2col,
                              int64_t rank) {
  if ((kind == ArgKind::peer) != (rank >= 0))
    return emitError() << stringifyArgKind(kind)
                       << (rank < 0 ? " needs a rank" : " takes no rank");
  bool takesOperand = kind == ArgKind::buffer || kind == ArgKind::tensor_map;
  if (takesOperand != (operand >= 0))
    return emitError() << stringifyArgKind(kind)
                       << (takesOperand ? " needs an operand"
                                        : " takes no operand");
  if (offset < 0)
    return emitError() << "negative offset: " << offset;
  if (kind != ArgKind::tensor_map) {
    if (!sizes.empty() || !strides.empty() || !box.empty() || im2col)
      return emitError() << stringifyArgKind(kind)
                         << " takes no sizes, strides, box or im2col";
    return success();
  }
  if (sizes.empty() || sizes.size() > kernelabi::kMaxTensorMapRank)
    return emitError() << "tensor_map needs 1 to "
                       << kernelabi::kMaxTensorMapRank << " dimensions, got "
                       << sizes.size();
  if (im2col && im2col.getSteps().size() + 2 != sizes.size())
    return emitError() << "im2col of " << im2col.getSteps().size()
                       << " dimensions needs a tensor_map of two more, got "
                       << sizes.size();
  if (strides.size() + 1 != sizes.size() ||
      box.size() != (im2col ? 2 : sizes.size()))
    return emitError() << "tensor_map needs a box of "
                       << (im2col ? "channels and pixels"
                                  : "as many dimensions as sizes")
                       << ", and one stride less than sizes";
  for (auto [dim, extent] : llvm::enumerate(box)) {
    int64_t limit = im2col && dim == 1 ? kernelabi::kMaxIm2colPixels
                                       : kernelabi::kMaxBoxExtent;
    if (extent < 1 || extent > limit)
      return emitError() << "box extents must be in 1.." << limit << ", got "
                         << extent;
  }
  for (int64_t stride : strides)
    if (stride <= 0 || stride % kernelabi::kTensorMapGranule != 0)
      return emitError() << "strides must be positive multiples of "
                         << kernelabi::kTensorMapGranule << " bytes, got "
                         << stride;
  return success();
}

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

Attribute ArgAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t operand = -1, offset = 0, rank = -1;
  SmallVector<int64_t> sizes, strides, box;
  Swizzle swizzle = Swizzle::none;
  Im2colAttr im2col;
  if (parser.parseLess())
    return {};
  FailureOr<ArgKind> kind = FieldParser<ArgKind>::parse(parser);
  if (failed(kind))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef field;
    SMLoc fieldLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return {};
    if (field == "operand") {
      if (parser.parseInteger(operand))
        return {};
    } else if (field == "offset") {
      if (parser.parseInteger(offset))
        return {};
    } else if (field == "rank") {
      if (parser.parseInteger(rank))
        return {};
    } else if (field == "sizes") {
      if (parseIntegers(parser, sizes))
        return {};
    } else if (field == "strides") {
      if (parseIntegers(parser, strides))
        return {};
    } else if (field == "box") {
      if (parseIntegers(parser, box))
        return {};
    } else if (field == "swizzle") {
      FailureOr<Swizzle> parsed = FieldParser<Swizzle>::parse(parser);
      if (failed(parsed))
        return {};
      swizzle = *parsed;
    } else if (field == "im2col") {
      im2col = dyn_cast_or_null<Im2colAttr>(Im2colAttr::parse(parser, Type()));
      if (!im2col)
        return {};
    } else {
      parser.emitError(fieldLoc) << "unknown field '" << field << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ArgAttr>(loc, parser.getContext(), *kind, operand,
                                    offset, sizes, strides, box, swizzle,
                                    im2col, rank);
}

void ArgAttr::print(AsmPrinter &printer) const {
  auto printIntegers = [&](StringRef name, ArrayRef<int64_t> values) {
    if (values.empty())
      return;
    printer << ", " << name << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<" << stringifyArgKind(getKind());
  if (getOperand() >= 0)
    printer << ", operand = " << getOperand();
  if (getOffset() != 0)
    printer << ", offset = " << getOffset();
  if (getRank() >= 0)
    printer << ", rank = " << getRank();
  printIntegers("sizes", getSizes());
  printIntegers("strides", getStrides());
  printIntegers("box", getBox());
  if (getSwizzle() != Swizzle::none)
    printer << ", swizzle = " << stringifySwizzle(getSwizzle());
  if (getIm2col()) {
    printer << ", im2col = ";
    getIm2col().print(printer);
  }
  printer << ">";
}
