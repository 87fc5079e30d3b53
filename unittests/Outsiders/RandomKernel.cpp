//===- RandomKernel.cpp - Recurrences over one array ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace grout::test;

static Place drawPlace(std::mt19937 &random) {
  return {static_cast<int64_t>(random() % 2),
          static_cast<int64_t>(random() % 2), random() % 5 == 0};
}

RandomKernel::RandomKernel(std::mt19937 &random) {
  for (unsigned i = 1 + random() % 3; i != 0; --i) {
    Statement statement;
    for (unsigned read = 1 + random() % 2; read != 0; --read)
      statement.reads.push_back(drawPlace(random));
    statement.write = drawPlace(random);
    statements.push_back(std::move(statement));
  }
}

/// `place` of the array that the kernel calls %Y.
static std::string print(const Place &place) {
  return llvm::formatv("%Y[(d0, d1) -> ({0} + {1}, {2} + {3})] : "
                       "memref<9x9xi32>",
                       place.isTransposed ? "d1" : "d0", place.row,
                       place.isTransposed ? "d0" : "d1", place.column);
}

static std::string print(const RandomKernel::Statement &statement,
                         size_t number) {
  std::string reads = llvm::join(
      llvm::map_range(statement.reads, [](auto &p) { return print(p); }), ", ");
  bool isSum = statement.reads.size() == 2;
  return llvm::formatv(
      "scop.stmt @S{0} domain [8, 8] reads({1}) writes({2}) "
      "{{\n^bb0(%a: i32{3}):\n%c = arith.constant 1 : i32\n"
      "%s = arith.addi %a, {4} : i32\nscop.yield %s : i32\n}\n",
      number, reads, print(statement.write), isSum ? ", %b: i32" : "",
      isSum ? "%b" : "%c");
}

std::string RandomKernel::str() const {
  std::string text = "func.func @f(%y: memref<9x9xi32>) attributes "
                     "{llvm.emit_c_interface} {\n"
                     "scop.kernel outs(%y : memref<9x9xi32>) {\n"
                     "^bb0(%Y: memref<9x9xi32>):\n";
  for (auto [number, statement] : llvm::enumerate(statements))
    text += print(statement, number);
  return text + "}\nreturn\n}\n";
}

static int64_t getIndex(const Place &place, int64_t i, int64_t j) {
  if (place.isTransposed)
    std::swap(i, j);
  return (i + place.row) * kSide + j + place.column;
}

Square RandomKernel::compute(Square array) const {
  for (const Statement &statement : statements)
    for (int64_t i = 0; i != kTrips; ++i)
      for (int64_t j = 0; j != kTrips; ++j) {
        uint32_t sum = statement.reads.size() == 2 ? 0 : 1;
        for (const Place &read : statement.reads)
          sum += static_cast<uint32_t>(array[getIndex(read, i, j)]);
        array[getIndex(statement.write, i, j)] = static_cast<int32_t>(sum);
      }
  return array;
}
