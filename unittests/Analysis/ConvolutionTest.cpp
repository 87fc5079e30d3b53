//===- ConvolutionTest.cpp - What tiles of convolutions read --------------===//
//
// Part of Grout. What tgemm.conv2d says that it reads against the definition of
// convolutions, and random chains of them against enumeration.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "ParsedChain.h"
#include "Seeds.h"
#include "grout/Analysis/Interpreter.h"
#include "grout/Analysis/VerifyProgram.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using grout::tgemm::Conv2dOp;

namespace grout::test {
namespace {

//===----------------------------------------------------------------------===//
// Random convolutions
//===----------------------------------------------------------------------===//

/// Images, rows, columns and channels.
using Images = std::array<int64_t, 4>;

/// Of one axis.
struct Axis {
  int64_t filter = 1, stride = 1, dilation = 1, low = 0, high = 0, pixels = 1;
};

/// An axis of `size`; with as many pixels if `keepsSize`.
Axis makeAxis(Random &random, int64_t size, bool keepsSize) {
  Axis axis;
  axis.filter = random.pick(1, 3);
  axis.dilation = random.pick(1, 2);
  int64_t reach = (axis.filter - 1) * axis.dilation;
  if (keepsSize) {
    axis.low = random.pick(0, reach);
    axis.high = reach - axis.low;
  } else {
    axis.low = random.pick(0, 2);
    axis.high = random.pick(0, 2);
    axis.stride = random.oneIn(2) ? 1 : random.pick(2, 3);
    if (reach >= size + axis.low + axis.high) {
      axis.filter = 1;
      reach = 0;
    }
  }
  axis.pixels = (size + axis.low + axis.high - reach - 1) / axis.stride + 1;
  return axis;
}

/// A size of tiles, of which `extent` takes few.
int64_t pickTile(Random &random, int64_t extent, int64_t maxTiles) {
  return random.pick(llvm::divideCeilSigned(extent, maxTiles), extent);
}

int64_t pickChannels(Random &random) {
  // More than a block of channels, now and then.
  return random.oneIn(6) ? random.pick(63, 66) : random.pick(1, 5);
}

/// Tiles whose columns divide `block`, if that is not 0.
std::string getTiling(Random &random, int64_t m, int64_t n, int64_t block = 0) {
  int64_t rows = pickTile(random, m, 6), columns = pickTile(random, n, 3);
  while (block % columns != 0)
    --columns;
  return "tiling = #tgemm.tiling<m = " + std::to_string(rows) +
         ", n = " + std::to_string(columns) +
         ", k = " + std::to_string(64 * (random.oneIn(3) ? 2 : 1)) + ">";
}

/// What the features of a convolution are made of. `block` is 0 if it is not
/// given.
struct Groups {
  int64_t count = 1, features, block = 0, filterChannels;
};

/// Of `channels`, and of `features` if that is not 0.
Groups makeGroups(Random &random, int64_t channels, int64_t features) {
  Groups groups;
  groups.features = features ? features : pickChannels(random);
  groups.filterChannels = channels;
  int64_t count = random.pick(2, 4);
  if (random.oneIn(2) || channels % count != 0)
    return groups;
  if (!features)
    groups.features = count * random.pick(1, 3);
  if (groups.features % count != 0)
    return groups;
  groups.count = count;
  groups.filterChannels = channels / count;
  if (random.oneIn(2)) {
    groups.block = random.pick(1, groups.features + 1);
    groups.filterChannels *= random.pick(1, 3);
  }
  return groups;
}

/// A convolution in the text of a chain.
struct TextConv {
  /// Its result, a matrix, and the images that it is.
  std::string pixels;
  Images images;
};

/// A filter that a product computes, or an argument.
std::string addFilter(Random &random, ChainText &text,
                      llvm::ArrayRef<int64_t> shape) {
  if (!random.oneIn(6))
    return text.addInput(shape);
  int64_t m = shape[0], n = shape[1] * shape[2] * shape[3];
  std::string lhs = text.addInput({m, 2}), rhs = text.addInput({2, n});
  std::string product = text.add(
      "tgemm.matmul " + lhs + ", " + rhs + " {" + getTiling(random, m, n) +
          "} : " + getTensorType({m, 2}) + ", " + getTensorType({2, n}) +
          " -> " + getTensorType({m, n}),
      {m, n});
  return text.reshape("expand_shape", product, {m, n}, "[[0], [1, 2, 3]]",
                      shape);
}

/// Adds a convolution of `input`, and of `residual` if it may be added.
TextConv addConv(Random &random, ChainText &text, llvm::StringRef input,
                 const Images &from, const TextConv *residual) {
  bool keepsSize = residual && random.oneIn(2);
  Axis rows = makeAxis(random, from[1], keepsSize);
  Axis columns = makeAxis(random, from[2], keepsSize);
  Groups groups =
      makeGroups(random, from[3], keepsSize ? residual->images[3] : 0);
  int64_t features = groups.features;
  TextConv conv;
  conv.images = {from[0], rows.pixels, columns.pixels, features};
  int64_t m = from[0] * rows.pixels * columns.pixels;
  llvm::SmallVector<int64_t> filterShape = {
      features, rows.filter, columns.filter, groups.filterChannels};
  std::string filter = addFilter(random, text, filterShape);
  bool adds = residual && residual->images == conv.images;
  auto list = [](llvm::ArrayRef<int64_t> values) {
    std::string joined;
    for (int64_t value : values)
      joined += (joined.empty() ? "array<i64: " : ", ") + std::to_string(value);
    return joined + ">";
  };
  std::string result = getTensorType({m, features});
  std::string op = ("tgemm.conv2d " + input + ", " + filter).str();
  if (adds)
    op += " epilogue(" + residual->pixels + " : " + result + ")";
  op +=
      " {strides = " + list({rows.stride, columns.stride}) +
      ", dilations = " + list({rows.dilation, columns.dilation}) +
      ", padding = " + list({rows.low, rows.high, columns.low, columns.high}) +
      ", " +
      getTiling(random, m, features,
                groups.block        ? groups.block
                : groups.count != 1 ? features / groups.count
                                    : 0);
  if (groups.count != 1)
    op += ", groups = " + std::to_string(groups.count) + " : i64";
  if (groups.block)
    op += ", feature_block = " + std::to_string(groups.block) + " : i64";
  if (adds)
    op += ", epilogue_maps = [affine_map<(m, n) -> (m, n)>]";
  op += "} : " + getTensorType(from) + ", " + getTensorType(filterShape) +
        " -> " + result;
  if (adds)
    op += " {\n  ^bb0(%acc: f32, %in: f16):\n    tgemm.yield %in : f16\n    }";
  conv.pixels = text.add(op, {m, features});
  return conv;
}

/// Chains of `count`, of images with up to `maxExtent` rows and columns.
ChainText makeConvolutions(Random &random, int64_t count, int64_t maxExtent) {
  ChainText text;
  Images from = {random.pick(1, 3), random.pick(1, maxExtent),
                 random.pick(1, maxExtent), pickChannels(random)};
  std::string input = text.addInput(from);
  std::optional<TextConv> last, beforeLast;
  for (int64_t i = 0; i != count; ++i) {
    TextConv conv = addConv(random, text, input, from,
                            random.oneIn(2) && beforeLast ? &*beforeLast
                            : last                        ? &*last
                                                          : nullptr);
    beforeLast = last;
    last = conv;
    from = conv.images;
    if (i + 1 != count)
      input = text.reshape("expand_shape", conv.pixels,
                           {from[0] * from[1] * from[2], from[3]},
                           "[[0, 1, 2], [3]]", from);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// The definition
//===----------------------------------------------------------------------===//

/// Elements of a tensor, by tile and step.
using Elements = std::map<Tile, std::set<Tile>>;

/// Adds what `op` reads in `step` for pixel `m` and feature `f` to what tile
/// and step `at` reads of input and filter. Of the input it reads whole blocks
/// of channels, as much as there is of them, if the filter has fewer.
void defineReads(Conv2dOp op, int64_t m, int64_t f, const Tile &at,
                 Elements &input, Elements &filter) {
  int64_t pixels = op.getPixels(0) * op.getPixels(1);
  int64_t n = m / pixels, p = m % pixels / op.getPixels(1),
          q = m % op.getPixels(1);
  int64_t blocksOfStep = op.getTiling()->getK() / Conv2dOp::kChannelBlock;
  int64_t block = op.getFeatureBlock().value_or(op.getN() / op.getGroups());
  int64_t group = f / block * block / (op.getN() / op.getGroups());
  int64_t firstChannel = group * (op.getChannels() / op.getGroups());
  int64_t filterChannels = op.getFilter().getType().getDimSize(3);
  int64_t channels =
      llvm::alignTo(filterChannels, uint64_t(Conv2dOp::kChannelBlock));
  for (int64_t r = 0; r != op.getFilterSize(0); ++r)
    for (int64_t s = 0; s != op.getFilterSize(1); ++s)
      for (int64_t c = 0; c != channels; ++c) {
        int64_t reductionBlock =
            (c / Conv2dOp::kChannelBlock * op.getFilterSize(0) + r) *
                op.getFilterSize(1) +
            s;
        if (reductionBlock / blocksOfStep != at.back())
          continue;
        if (c < filterChannels)
          filter[at].insert({f, r, s, c});
        int64_t y = p * op.getStrides()[0] + r * op.getDilations()[0] -
                    op.getPadding()[0];
        int64_t x = q * op.getStrides()[1] + s * op.getDilations()[1] -
                    op.getPadding()[2];
        if (y >= 0 && y < op.getImageSize(0) && x >= 0 &&
            x < op.getImageSize(1) && firstChannel + c < op.getChannels())
          input[at].insert({n, y, x, firstChannel + c});
      }
}

/// What `access` says that tile and step `at` reads of a tensor of `shape`.
std::set<Tile> enumerateAccess(const TileAccess &access,
                               llvm::ArrayRef<int64_t> shape, const Tile &at) {
  std::set<Tile> elements;
  llvm::SmallVector<int64_t> local(access.localSizes.size(), 0);
  while (true) {
    llvm::SmallVector<int64_t> point(at.begin(), at.end());
    llvm::append_range(point, local);
    llvm::SmallVector<int64_t> values = access.map.compose(point);
    bool isInside = true;
    for (auto [value, extent] : llvm::zip_equal(values, shape))
      isInside &= value >= 0 && value < extent;
    if (isInside)
      elements.insert(Tile(values.begin(), values.end()));
    // The next point, the last coordinate first.
    size_t dim = local.size();
    while (dim != 0 && ++local[dim - 1] == access.localSizes[dim - 1])
      local[--dim] = 0;
    if (dim == 0)
      return elements;
  }
}

/// Whether what a pixel reads is numbered as the pixels are. The access to the
/// input is exact only then, and else one to whole rows.
bool keepsPlaces(Conv2dOp op) {
  return llvm::all_of(op.getStrides(), [](int64_t s) { return s == 1; }) &&
         op.getPixels(0) == op.getImageSize(0) &&
         op.getPixels(1) == op.getImageSize(1);
}

/// Compares the accesses of `op` with the definition, for each tile and step.
void checkAccesses(Conv2dOp op) {
  llvm::SmallVector<int64_t> grid = *op.getTileGrid();
  tgemm::TilingAttr tiling = *op.getTiling();
  Elements input, filter;
  for (int64_t m = 0; m != op.getM(); ++m)
    for (int64_t f = 0; f != op.getN(); ++f)
      for (int64_t step = 0; step != op.getStepCount(); ++step)
        defineReads(op, m, f, {m / tiling.getM(), f / tiling.getN(), step},
                    input, filter);
  for (unsigned operand : {0, 1}) {
    SCOPED_TRACE("operand " + std::to_string(operand));
    TileAccess access = op.getOperandAccess(op->getOpOperand(operand));
    auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
    Elements &expected = operand == 0 ? input : filter;
    for (int64_t i = 0; i != grid[0]; ++i)
      for (int64_t j = 0; j != grid[1]; ++j)
        for (int64_t step = 0; step != op.getStepCount(); ++step) {
          Tile at = {i, j, step};
          auto actual = enumerateAccess(access, type.getShape(), at);
          if (operand == 0 && !keepsPlaces(op))
            ASSERT_TRUE(llvm::includes(actual, expected[at]))
                << "tile " << i << ", " << j << " at step " << step;
          else
            ASSERT_EQ(actual, expected[at])
                << "tile " << i << ", " << j << " at step " << step;
        }
  }
}

TEST(ConvolutionTest, AccessesCoverWhatTheDefinitionReads) {
  int grouped = 0;
  for (unsigned seed = 0; seed != 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ParsedChain parsed(makeConvolutions(random, 1, 6));
    parsed.module->walk([&](Conv2dOp op) {
      checkAccesses(op);
      grouped += op.getGroups() != 1;
    });
    if (HasFailure())
      return;
  }
  EXPECT_GT(grouped, 5);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

TEST(BruteForceTest, Convolutions) {
  int dependences = 0;
  for (unsigned seed = 0; seed != 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ParsedChain parsed(makeConvolutions(random, random.pick(2, 3), 6));
    dependences += checkDependences(parsed.chain.program);
    if (HasFailure())
      return;
  }
  EXPECT_GT(dependences, 40);
}

TEST(PropertyTest, Convolutions) {
  Seeds seeds(4000, 120);
  Tally tally;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ParsedChain parsed(makeConvolutions(random, random.oneIn(4) ? 3 : 2, 4));
    compareWithMutants(random, parsed.chain.program, tally);
    if (HasFatalFailure())
      return;
  }
  if (!seeds.areDefault())
    return;
  EXPECT_GT(tally.accepted, 60);
  EXPECT_GT(tally.rejected, 60);
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// Two convolutions of 3 x 3 that keep the size of images of 8 x 4, in tiles of
/// two rows.
TileProgram makeHalo() {
  ChainText text;
  std::string input = text.addInput({2, 8, 4, 3});
  for (int i = 0; i != 2; ++i) {
    std::string filter = text.addInput({3, 3, 3, 3});
    std::string pixels =
        text.add("tgemm.conv2d " + input + ", " + filter +
                     " {strides = array<i64: 1, 1>, dilations = array<i64: 1, "
                     "1>, padding = array<i64: 1, 1, 1, 1>, tiling = "
                     "#tgemm.tiling<m = 8, n = 2, k = 64>} : "
                     "tensor<2x8x4x3xf16>, tensor<3x3x3x3xf16> -> "
                     "tensor<64x3xf16>",
                 {64, 3});
    if (i == 0)
      input = text.reshape("expand_shape", pixels, {64, 3}, "[[0, 1, 2], [3]]",
                           {2, 8, 4, 3});
  }
  return ParsedChain(text).chain.program;
}

/// The policy of a tile that waits for those of rows from `lower` to `upper`.
void waitForRows(TileProgram &program, llvm::StringRef lower,
                 llvm::StringRef upper, int64_t count) {
  SemaphorePolicy policy;
  policy.semaphore = parseMap("(i, j) -> (i)");
  policy.shape = {8};
  policy.counts = {count};
  policy.waitLower = parseMap(("(i, j, s) -> (" + lower + ")").str());
  policy.waitUpper = parseMap(("(i, j, s) -> (" + upper + ")").str());
  program.edges = {{0, 1, 0, policy, /*isAfterSteps=*/false}};
}

/// What the proof finds, if anything, where the interpreter finds `outcome`.
std::optional<VerifyFailureKind> verify(const TileProgram &program,
                                        InterpretOutcome outcome) {
  InterpretOptions options;
  options.mode = InterpretMode::Adversarial;
  EXPECT_EQ(unwrapOrDie(interpretProgram(program, options)).outcome, outcome);
  VerifyResult proof = verifyProgram(IslContext(), program);
  if (proof.failures.empty())
    return std::nullopt;
  return proof.failures[0].kind;
}

TEST(ConvolutionTest, HaloIsWaitedFor) {
  TileProgram program = makeHalo();
  waitForRows(program, "i - 1", "i + 1", 2);
  EXPECT_EQ(verify(program, InterpretOutcome::Safe), std::nullopt);
}

TEST(ConvolutionTest, OneHaloRowFewer) {
  TileProgram program = makeHalo();
  // The last one is cuSync's own policy for convolutions.
  for (auto [lower, upper] : {std::pair("i - 1", "i"), std::pair("i", "i + 1"),
                              std::pair("i", "i")}) {
    waitForRows(program, lower, upper, 2);
    EXPECT_EQ(verify(program, InterpretOutcome::UnsynchronisedRead),
              VerifyFailureKind::UnsynchronisedRead);
  }
}

TEST(ConvolutionTest, CountTooLow) {
  TileProgram program = makeHalo();
  waitForRows(program, "i - 1", "i + 1", 1);
  VerifyResult proof = verifyProgram(IslContext(), program);
  EXPECT_FALSE(proof.succeeded());
  EXPECT_NE(unwrapOrDie(interpretProgram(program)).outcome,
            InterpretOutcome::Safe);
}

} // namespace
} // namespace grout::test
