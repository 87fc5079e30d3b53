//===- ScopOps.cpp - Syntax of the scop dialect's ops ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace grout::scop;

/// Parses `%A[(d0, d1) -> (d1)] : memref<8xf32>, ...`.
static ParseResult
parseAccesses(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &arrays,
              SmallVectorImpl<Type> &types, ArrayAttr &maps) {
  SmallVector<Attribute> mapAttrs;
  ParseResult result = parser.parseCommaSeparatedList([&] {
    AffineMap map;
    if (parser.parseOperand(arrays.emplace_back()) || parser.parseLSquare() ||
        parser.parseAffineMap(map) || parser.parseRSquare() ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    mapAttrs.push_back(AffineMapAttr::get(map));
    return success();
  });
  maps = parser.getBuilder().getArrayAttr(mapAttrs);
  return result;
}

static void printAccesses(OpAsmPrinter &printer, StmtOp, OperandRange arrays,
                          TypeRange, ArrayAttr maps) {
  llvm::interleaveComma(llvm::zip_equal(arrays, maps), printer, [&](auto pair) {
    auto [array, map] = pair;
    printer << array << "[" << cast<AffineMapAttr>(map).getValue()
            << "] : " << array.getType();
  });
}

/// Parses `[@X[0] - 1 == 0, ...]`.
static ParseResult parseConstraints(OpAsmParser &parser,
                                    ArrayAttr &constraints) {
  SmallVector<Attribute> attrs;
  ParseResult result =
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        FailureOr<ConstraintAttr> constraint =
            ConstraintAttr::parseBody(parser);
        if (succeeded(constraint))
          attrs.push_back(*constraint);
        return ParseResult(constraint);
      });
  constraints = parser.getBuilder().getArrayAttr(attrs);
  return result;
}

static void printConstraints(OpAsmPrinter &printer, LinearOp,
                             ArrayAttr constraints) {
  printer << "[";
  llvm::interleaveComma(
      constraints.getAsRange<ConstraintAttr>(), printer,
      [&](ConstraintAttr constraint) { constraint.printBody(printer); });
  printer << "]";
}

static ParseResult parseExecution(OpAsmParser &parser,
                                  ExecutionAttr &execution) {
  FailureOr<ExecutionAttr> parsed = ExecutionAttr::parseBody(parser);
  if (succeeded(parsed))
    execution = *parsed;
  return LogicalResult(parsed);
}

static void printExecution(OpAsmPrinter &printer, LinearOp,
                           ExecutionAttr execution) {
  if (execution.isEmpty())
    return;
  printer << " ";
  execution.printBody(printer);
}

#define GET_OP_CLASSES
#include "grout/Dialect/Scop/IR/ScopOps.cpp.inc"
