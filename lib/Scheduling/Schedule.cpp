//===- Schedule.cpp - Affine schedules of statements ----------------------===//
//
// Part of Grout. Text in and out.
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/Schedule.h"

#include "TextReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

llvm::ArrayRef<llvm::StringLiteral> getMappings() {
  static constexpr llvm::StringLiteral mappings[] = {"block", "thread_x",
                                                     "thread_y"};
  return mappings;
}

bool ScheduleDim::operator==(const ScheduleDim &other) const {
  return kind == other.kind && coincident == other.coincident &&
         reductionParallel == other.reductionParallel && band == other.band &&
         vectorWidth == other.vectorWidth && masked == other.masked &&
         vectorStatements == other.vectorStatements && mapping == other.mapping;
}

const std::vector<ScheduleRow> *
Schedule::find(llvm::StringRef statement) const {
  for (const StatementRows &rows : statements)
    if (rows.statement == statement)
      return &rows.rows;
  return nullptr;
}

static void print(llvm::raw_ostream &os, const ScheduleDim &dim) {
  os << (dim.kind == ScheduleDim::Kind::Linear ? "linear" : "sequence")
     << " band " << dim.band;
  if (dim.coincident)
    os << " coincident";
  if (dim.reductionParallel)
    os << " reduction";
  if (!dim.mapping.empty())
    os << ' ' << dim.mapping;
  if (dim.vectorWidth != 1)
    os << " vector " << dim.vectorWidth << (dim.masked ? " masked" : "");
  if (!dim.vectorStatements.empty()) {
    os << " of ";
    llvm::interleaveComma(dim.vectorStatements, os);
  }
  os << '\n';
}

std::string Schedule::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ScheduleDim &dim : dims)
    print(os, dim);
  for (const StatementRows &statement : statements) {
    os << statement.statement << ':';
    for (const ScheduleRow &row : statement.rows) {
      os << " [";
      llvm::interleaveComma(row, os);
      os << ']';
    }
    os << '\n';
  }
  return text;
}

static llvm::Error parseDim(TextReader &reader, ScheduleDim &dim) {
  if (!reader.consumeWord("band"))
    return reader.error("expected 'band'");
  int64_t number;
  if (!reader.consumeInteger(number) || number < 0 || number > UINT16_MAX)
    return reader.error("expected the number of a band");
  dim.band = number;
  if (reader.consumeWord("coincident"))
    dim.coincident = true;
  else if (reader.consumeWord("reduction"))
    dim.reductionParallel = true;
  for (llvm::StringRef mapping : getMappings())
    if (reader.consumeWord(mapping)) {
      dim.mapping = mapping.str();
      break;
    }
  if (!reader.consumeWord("vector"))
    return llvm::Error::success();
  if (!reader.consumeInteger(number) || number < 2 || number > UINT16_MAX)
    return reader.error("expected the width of a vector, at least 2");
  dim.vectorWidth = number;
  dim.masked = reader.consumeWord("masked");
  if (!reader.consumeWord("of"))
    return llvm::Error::success();
  do {
    std::string name;
    if (!reader.consumeName(name))
      return reader.error("expected the name of a statement");
    dim.vectorStatements.push_back(std::move(name));
  } while (reader.consume(','));
  return llvm::Error::success();
}

static llvm::Error parseRow(TextReader &reader, ScheduleRow &row) {
  do {
    int64_t value;
    if (!reader.consumeInteger(value))
      return reader.error("expected an integer of 64 bits");
    row.push_back(value);
  } while (reader.consume(','));
  if (!reader.consume(']'))
    return reader.error("expected ',' or ']'");
  return llvm::Error::success();
}

llvm::Expected<Schedule> Schedule::parse(llvm::StringRef text) {
  Schedule schedule;
  TextReader reader(text);
  while (reader.nextLine()) {
    std::string word;
    bool named = reader.consumeName(word), ofStatement = reader.consume(':');
    if (!named || (!ofStatement && word != "linear" && word != "sequence"))
      return reader.error(
          "expected 'linear', 'sequence', or a statement and ':'");
    if (!ofStatement) {
      if (!schedule.statements.empty())
        return reader.error("dimensions come before statements");
      ScheduleDim &dim = schedule.dims.emplace_back();
      dim.kind = word == "linear" ? ScheduleDim::Kind::Linear
                                  : ScheduleDim::Kind::Sequence;
      if (llvm::Error error = parseDim(reader, dim))
        return error;
    } else {
      StatementRows statement;
      statement.statement = std::move(word);
      if (schedule.find(statement.statement))
        return reader.error("statement '" + statement.statement +
                            "' is there twice");
      while (reader.consume('['))
        if (llvm::Error error = parseRow(reader, statement.rows.emplace_back()))
          return error;
      if (statement.rows.size() != schedule.dims.size())
        return reader.error("expected " + std::to_string(schedule.dims.size()) +
                            " rows");
      schedule.statements.push_back(std::move(statement));
    }
    if (!reader.atEnd())
      return reader.error("unexpected text");
  }
  return schedule;
}

} // namespace grout
