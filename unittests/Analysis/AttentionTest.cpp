//===- AttentionTest.cpp - What tiles of attention read -------------------===//
//
// Part of Grout. Layers of attention, with the products before and after it,
// against enumeration.
//
//===----------------------------------------------------------------------===//

#include "ParsedChain.h"
#include "Seeds.h"
#include "grout/Analysis/Interpreter.h"
#include "grout/Analysis/VerifyProgram.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

/// A layer: heads of queries, and of keys, which are in groups.
struct Layer {
  int64_t batch = 1, positions = 1, heads = 1, keyHeads = 1, size = 1;
  std::optional<int64_t> causal;
  /// Of attention: queries of a head, heads, keys, and shares of the steps.
  int64_t queries = 1, tileHeads = 1, keys = 1, splits = 1;
  /// Keys of a part, if they are in parts.
  std::optional<int64_t> partKeys;
  /// Of the product before and after it.
  int64_t m[2] = {1, 1}, n[2] = {1, 1}, k[2] = {1, 1};

  int64_t getRows() const { return batch * positions; }
  int64_t getColumns() const { return (heads + 2 * keyHeads) * size; }
};

Layer makeLayer(Random &random) {
  Layer layer;
  layer.batch = random.pick(1, 2);
  layer.positions = random.pick(1, 7);
  layer.keyHeads = random.pick(1, 2);
  int64_t group = random.pick(1, 5);
  layer.heads = layer.keyHeads * group;
  layer.size = random.pick(1, 3);
  if (random.oneIn(2))
    layer.causal = random.pick(-1, 2);
  layer.queries = random.pick(1, layer.positions);
  // Those that divide the group, or any where there is one group.
  int64_t tileHeads = random.pick(1, group);
  if (group % tileHeads == 0 || layer.keyHeads == 1)
    layer.tileHeads = tileHeads;
  layer.keys = random.pick(1, layer.positions);
  layer.splits = random.oneIn(4) ? 2 : 1;
  if (random.oneIn(4))
    layer.partKeys = layer.keys * layer.splits;
  for (int product : {0, 1}) {
    layer.m[product] = random.pick(1, layer.getRows());
    int64_t columns = product == 0 ? layer.getColumns() : 3;
    layer.n[product] = random.pick(llvm::divideCeilSigned(columns, 6), columns);
    layer.k[product] = random.pick(1, 4);
  }
  return layer;
}

std::string addProduct(ChainText &text, const Layer &layer, int product,
                       llvm::StringRef lhs, int64_t depth, int64_t columns) {
  std::string rhs = text.addInput({depth, columns});
  int64_t rows = layer.getRows();
  return text.add(
      ("tgemm.matmul " + lhs + ", " + rhs +
       " {tiling = #tgemm.tiling<m = " + std::to_string(layer.m[product]) +
       ", n = " + std::to_string(layer.n[product]) +
       ", k = " + std::to_string(layer.k[product]) + ">} : " +
       getTensorType({rows, depth}) + ", " + getTensorType({depth, columns}) +
       " -> " + getTensorType({rows, columns}))
          .str(),
      {rows, columns});
}

/// Heads of the columns of `tensor` from `first` on.
std::string addHeads(ChainText &text, const Layer &layer,
                     llvm::StringRef tensor, int64_t first, int64_t heads) {
  int64_t rows = layer.getRows(), width = heads * layer.size;
  std::string slice = text.add(
      ("tensor.extract_slice " + tensor + "[0, " + std::to_string(first) +
       "] [" + std::to_string(rows) + ", " + std::to_string(width) +
       "] [1, 1] : " + getTensorType({rows, layer.getColumns()}) + " to " +
       getTensorType({rows, width}))
          .str(),
      {rows, width});
  return text.reshape("expand_shape", slice, {rows, width}, "[[0, 1], [2, 3]]",
                      {layer.batch, layer.positions, heads, layer.size});
}

/// Queries, keys and values from one product, attention, and, but for parts,
/// another product.
ChainText makeText(const Layer &layer) {
  ChainText text;
  std::string input = text.addInput({layer.getRows(), 3});
  std::string h = addProduct(text, layer, 0, input, 3, layer.getColumns());
  int64_t queryColumns = layer.heads * layer.size,
          keyColumns = layer.keyHeads * layer.size;
  std::string q = addHeads(text, layer, h, 0, layer.heads);
  std::string k = addHeads(text, layer, h, queryColumns, layer.keyHeads);
  std::string v =
      addHeads(text, layer, h, queryColumns + keyColumns, layer.keyHeads);
  llvm::SmallVector<int64_t> shape = {layer.batch, layer.positions, layer.heads,
                                      layer.size};
  std::string keyType =
      getTensorType({layer.batch, layer.positions, layer.keyHeads, layer.size});
  std::string layout = "affine_map<(b, h, i, d) -> (b, i, h, d)>";
  std::string resultLayout = layout;
  llvm::SmallVector<int64_t> result = shape;
  if (layer.partKeys) {
    resultLayout = "affine_map<(b, h, i, d) -> (b, h, i, d)>";
    int64_t parts = llvm::divideCeilSigned(layer.positions, *layer.partKeys);
    result = {parts * layer.batch, layer.heads, layer.positions,
              layer.size + 4};
  }
  std::string attention =
      "tgemm.attention " + q + ", " + k + ", " + v + " {scale = 1.0 : f32, " +
      (layer.causal ? "causal = " + std::to_string(*layer.causal) +
                          ", zero_without_keys, "
                    : "") +
      (layer.partKeys ? "part_keys = " + std::to_string(*layer.partKeys) + ", "
                      : "") +
      "layouts = [" + layout + ", " + layout + ", " + layout + ", " +
      resultLayout + "], tiling = #tgemm.attention_tiling<m = " +
      std::to_string(layer.queries * layer.tileHeads) +
      ", n = " + std::to_string(layer.keys) +
      ", heads = " + std::to_string(layer.tileHeads) +
      ", splits = " + std::to_string(layer.splits) +
      ">} : " + getTensorType(shape) + ", " + keyType + ", " + keyType +
      " -> " + getTensorType(result, layer.partKeys ? "f32" : "f16");
  std::string a = text.add(attention, result, layer.partKeys ? "f32" : "f16");
  if (layer.partKeys)
    return text;
  std::string c = text.reshape("collapse_shape", a, shape, "[[0, 1], [2, 3]]",
                               {layer.getRows(), queryColumns});
  addProduct(text, layer, 1, c, queryColumns, 3);
  return text;
}

TEST(BruteForceTest, Attention) {
  int dependences = 0;
  for (unsigned seed = 0; seed != 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ParsedChain parsed(makeText(makeLayer(random)));
    dependences += checkDependences(parsed.chain.program);
    if (HasFailure())
      return;
  }
  EXPECT_GT(dependences, 200);
}

TEST(PropertyTest, Attention) {
  Seeds seeds(5000, 120);
  Tally tally;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ParsedChain parsed(makeText(makeLayer(random)));
    compareWithMutants(random, parsed.chain.program, tally);
    if (HasFatalFailure())
      return;
  }
  if (!seeds.areDefault())
    return;
  EXPECT_GT(tally.accepted, 100);
  EXPECT_GT(tally.rejected, 100);
}

/// Four heads in two groups: the second key head is for heads 2 and 3. Each
/// head is a tile of the product before, and the projection reads all of them.
TileProgram makeFourHeads() {
  Layer layer;
  layer.positions = 4;
  layer.heads = 4;
  layer.keyHeads = 2;
  layer.size = 2;
  layer.causal = 0;
  layer.queries = 2;
  layer.keys = 2;
  layer.m[0] = layer.m[1] = layer.n[0] = 2;
  layer.n[1] = 3;
  layer.k[0] = 3;
  layer.k[1] = 8;
  TileProgram program = ParsedChain(makeText(layer)).chain.program;
  Random random(0);
  addDerivedEdges(IslContext(), random, program);
  EXPECT_EQ(program.edges.back().consumer, 2u);
  return program;
}

/// Whether the proof and the interpreter, which must agree, accept `program`.
bool isAccepted(const TileProgram &program) {
  InterpretOptions options;
  options.mode = InterpretMode::Adversarial;
  bool isSafe = unwrapOrDie(interpretProgram(program, options)).outcome ==
                InterpretOutcome::Safe;
  EXPECT_EQ(verifyProgram(IslContext(), program).succeeded(), isSafe);
  return isSafe;
}

TEST(AttentionTest, OneHeadTooFew) {
  TileProgram program = makeFourHeads();
  auto waitForHeads = [&](llvm::StringRef lower, llvm::StringRef upper) {
    SemaphorePolicy &policy = program.edges.back().policy;
    policy.semaphore = parseMap("(b, h, i) -> (b, h, i)");
    policy.shape = {1, 4, 2};
    policy.counts = {1};
    policy.waitLower = parseMap(lower);
    policy.waitUpper = parseMap(upper);
    return isAccepted(program);
  };
  EXPECT_TRUE(waitForHeads("(i, j, s) -> (0, 0, i)", "(i, j, s) -> (0, 3, i)"));
  EXPECT_FALSE(
      waitForHeads("(i, j, s) -> (0, 0, i)", "(i, j, s) -> (0, 2, i)"));
  EXPECT_FALSE(
      waitForHeads("(i, j, s) -> (0, 1, i)", "(i, j, s) -> (0, 3, i)"));
}

/// One semaphore counts the heads of some queries.
TEST(AttentionTest, CountTooLow) {
  TileProgram program = makeFourHeads();
  auto countHeads = [&](int64_t count) {
    SemaphorePolicy &policy = program.edges.back().policy;
    policy.semaphore = parseMap("(b, h, i) -> (i)");
    policy.shape = {2};
    policy.counts = {count};
    policy.waitLower = policy.waitUpper = parseMap("(i, j, s) -> (i)");
    return isAccepted(program);
  };
  EXPECT_TRUE(countHeads(4));
  EXPECT_FALSE(countHeads(3));
}

/// Heads wait for the keys of another group.
TEST(AttentionTest, WrongGroup) {
  Layer layer;
  layer.positions = 4;
  layer.heads = 4;
  layer.keyHeads = 2;
  layer.size = 2;
  layer.queries = layer.keys = 4;
  layer.m[0] = 4;
  layer.n[0] = 2;
  layer.m[1] = 4;
  layer.n[1] = layer.k[0] = 3;
  layer.k[1] = 8;
  TileProgram program = ParsedChain(makeText(layer)).chain.program;
  // Columns of the product: heads 0 to 3, key heads 4 and 5, values 6 and 7.
  SemaphorePolicy policy;
  policy.semaphore = parseMap("(i, j) -> (j)");
  policy.shape = {8};
  policy.counts = {1};
  auto isProved = [&](llvm::StringRef key) {
    program.edges.clear();
    for (auto [operand, column] : llvm::enumerate(
             llvm::ArrayRef<llvm::StringRef>{"h", key, "h floordiv 2 + 6"})) {
      policy.waitLower = policy.waitUpper =
          parseMap(("(b, h, i, s) -> (" + column + ")").str());
      program.edges.push_back({0, 1, unsigned(operand), policy,
                               /*isAfterSteps=*/false});
    }
    SemaphorePolicy all;
    all.semaphore = parseMap("(b, h, i) -> ()");
    all.counts = {4};
    all.waitLower = all.waitUpper = parseMap("(i, j, s) -> ()");
    program.edges.push_back({1, 2, 0, all, /*isAfterSteps=*/false});
    return isAccepted(program);
  };
  EXPECT_TRUE(isProved("h floordiv 2 + 4"));
  EXPECT_FALSE(isProved("h mod 2 + 4"));
  EXPECT_FALSE(isProved("4"));
}

} // namespace
} // namespace grout::test
