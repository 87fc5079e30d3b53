//===- LaunchGeneratorTest.cpp - A tile kernel from outside ---------------===//
//
// Part of Grout. A contraction that Grout does not know is added as an
// embedding compiler adds one: a dialect with an op that is a tile kernel, the
// code of its tiles, and a target that has it. Dependences, semaphores, proof,
// plan and artifact come for nothing. docs/guides/AddATileKernel.md explains
// it.
//
//===----------------------------------------------------------------------===//

#include "../Target/TestTargets.h"
#include "grout-c/Runtime.h"
#include "grout/Codegen/ArtifactWriter.h"
#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "grout/InitAllDialects.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

/// Rows of a tile.
constexpr int64_t kTileRows = 16;

/// Sums of absolute differences: y(i, j) = sum of |a(i, k) - b(j, k)| over k,
/// in tiles of rows.
class DistancesOp
    : public Op<DistancesOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                OpTrait::ZeroSuccessors, OpTrait::NOperands<2>::Impl,
                MemoryEffectOpInterface::Trait, TileKernelOpInterface::Trait,
                linalg::AggregatedOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DistancesOp)
  using Op::Op;

  static StringRef getOperationName() { return "toy.distances"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  RankedTensorType getTensorType(unsigned operand) {
    return cast<RankedTensorType>(getOperand(operand).getType());
  }
  int64_t getRows() { return getTensorType(0).getDimSize(0); }
  int64_t getColumns() { return getTensorType(1).getDimSize(0); }
  int64_t getTerms() { return getTensorType(0).getDimSize(1); }

  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}

  FailureOr<SmallVector<int64_t>> getTileGrid() {
    int64_t tiles = (getRows() + kTileRows - 1) / kTileRows;
    return SmallVector<int64_t>{tiles};
  }
  int64_t getStepCount() { return 1; }
  TileAccess getOperandAccess(OpOperand &operand) {
    // (tile, step, row, column)
    MLIRContext *context = getContext();
    AffineExpr tile = getAffineDimExpr(0, context);
    AffineExpr row = getAffineDimExpr(2, context);
    AffineExpr column = getAffineDimExpr(3, context);
    if (operand.getOperandNumber() == 1)
      return {AffineMap::get(4, 0, {row, column}, context),
              {getColumns(), getTerms()}};
    return {AffineMap::get(4, 0, {tile * kTileRows + row, column}, context),
            {kTileRows, getTerms()}};
  }
  TileAccess getResultAccess(OpResult) {
    TileAccess access = getOperandAccess(getOperation()->getOpOperand(0));
    access.localSizes[1] = getColumns();
    return access;
  }
  TileWork getTileWork() { return {}; }

  /// What it is in linalg, which references are made from.
  FailureOr<SmallVector<Value>> decomposeOperation(OpBuilder &b) {
    Location loc = getLoc();
    auto type = cast<RankedTensorType>(getOperation()->getResult(0).getType());
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
    Value empty =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    Value start = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
    AffineExpr i = b.getAffineDimExpr(0), j = b.getAffineDimExpr(1),
               k = b.getAffineDimExpr(2);
    auto sums = linalg::GenericOp::create(
        b, loc, type, getOperation()->getOperands(), start,
        ArrayRef<AffineMap>{AffineMap::get(3, 0, {i, k}, getContext()),
                            AffineMap::get(3, 0, {j, k}, getContext()),
                            AffineMap::get(3, 0, {i, j}, getContext())},
        ArrayRef{utils::IteratorType::parallel, utils::IteratorType::parallel,
                 utils::IteratorType::reduction},
        [](OpBuilder &b, Location loc, ValueRange elements) {
          Value distance = math::AbsFOp::create(
              b, loc, arith::SubFOp::create(b, loc, elements[0], elements[1]));
          Value sum = arith::AddFOp::create(b, loc, elements[2], distance);
          linalg::YieldOp::create(b, loc, sum);
        });
    return SmallVector<Value>{sums.getResult(0)};
  }
};

class ToyDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToyDialect)
  explicit ToyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<ToyDialect>()) {
    addOperations<DistancesOp>();
  }
  static StringRef getDialectNamespace() { return "toy"; }
};

//===----------------------------------------------------------------------===//
// Its tiles
//===----------------------------------------------------------------------===//

class DistancesBody : public cpu::TileBodyGenerator {
public:
  bool handles(Operation *kernel) const override {
    return isa<DistancesOp>(kernel);
  }

  LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                     const SemaphoreLayout &layout,
                     CPUTileBody &body) const override {
    auto op = cast<DistancesOp>(kernel.getOperation());
    SmallVector<Value> memrefs;
    for (Value tensor :
         {op->getOperand(0), op->getOperand(1), Value(op->getResult(0))}) {
      FailureOr<BufferView> view = tensors.getView(tensor, op);
      if (failed(view))
        return failure();
      memrefs.push_back(body.getMemRef(*view));
    }
    OpBuilder &b = body.builder;
    Location loc = body.loc;
    cpu::KernelSync sync(op, layout, body, [](unsigned) { return true; });
    sync.emitBeforeSteps(b);

    Value zero = body.createIndex(0), one = body.createIndex(1);
    Value rows = body.createIndex(kTileRows);
    Value begin = arith::MulIOp::create(b, loc, body.tile[0], rows);
    Value end = arith::MinSIOp::create(
        b, loc, arith::AddIOp::create(b, loc, begin, rows),
        body.createIndex(op.getRows()));
    auto row = scf::ForOp::create(b, loc, begin, end, one);
    b.setInsertionPointToStart(row.getBody());
    auto column = scf::ForOp::create(b, loc, zero,
                                     body.createIndex(op.getColumns()), one);
    b.setInsertionPointToStart(column.getBody());
    Value start = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
    auto term = scf::ForOp::create(b, loc, zero,
                                   body.createIndex(op.getTerms()), one, start);
    b.setInsertionPointToStart(term.getBody());
    Value k = term.getInductionVar();
    Value left = memref::LoadOp::create(b, loc, memrefs[0],
                                        ValueRange{row.getInductionVar(), k});
    Value right = memref::LoadOp::create(
        b, loc, memrefs[1], ValueRange{column.getInductionVar(), k});
    Value distance = math::AbsFOp::create(
        b, loc, arith::SubFOp::create(b, loc, left, right));
    Value sum =
        arith::AddFOp::create(b, loc, term.getRegionIterArg(0), distance);
    scf::YieldOp::create(b, loc, sum);
    b.setInsertionPointAfter(term);
    memref::StoreOp::create(
        b, loc, term.getResult(0), memrefs[2],
        ValueRange{row.getInductionVar(), column.getInductionVar()});
    b.setInsertionPointAfter(row);
    sync.emitPosts(b);
    return success();
  }
};

/// A CPU that has them.
std::unique_ptr<Target> createToyCPU() {
  auto generator = std::make_unique<cpu::CPULaunchGenerator>();
  generator->add(std::make_unique<DistancesBody>());
  return test::createCPU(test::getSpec("cpu", "toy-cpu"), std::move(generator));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Between two products, one of which reads its result, of ragged shapes.
constexpr llvm::StringLiteral kChain = R"(
  func.func @f(%x: tensor<50x40xf32>, %w: tensor<40x24xf32>,
               %b: tensor<36x24xf32>, %v: tensor<36x20xf32>)
      -> tensor<50x20xf32> {
    %zero = arith.constant 0.0 : f32
    %he = tensor.empty() : tensor<50x24xf32>
    %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<50x24xf32>)
        -> tensor<50x24xf32>
    %h = linalg.matmul ins(%x, %w : tensor<50x40xf32>, tensor<40x24xf32>)
        outs(%hz : tensor<50x24xf32>) -> tensor<50x24xf32>
    %d = "toy.distances"(%h, %b)
        : (tensor<50x24xf32>, tensor<36x24xf32>) -> tensor<50x36xf32>
    %ye = tensor.empty() : tensor<50x20xf32>
    %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<50x20xf32>)
        -> tensor<50x20xf32>
    %y = linalg.matmul ins(%d, %v : tensor<50x36xf32>, tensor<36x20xf32>)
        outs(%yz : tensor<50x20xf32>) -> tensor<50x20xf32>
    return %y : tensor<50x20xf32>
  })";
constexpr int64_t kM = 50, kK = 40, kH = 24, kD = 36, kN = 20;

template <typename T> struct alignas(GROUT_BUFFER_ALIGNMENT) BufferOf {
  T elements[2048];
};
using Buffer = BufferOf<float>;

/// What kChain computes, in f64.
template <typename T>
std::vector<double> compute(const std::vector<BufferOf<T>> &inputs) {
  auto at = [&](unsigned input, int64_t index) {
    return double(inputs[input].elements[index]);
  };
  std::vector<double> result(kM * kN);
  for (int64_t i = 0; i != kM; ++i) {
    std::vector<double> h(kH), d(kD);
    for (int64_t j = 0; j != kH; ++j)
      for (int64_t k = 0; k != kK; ++k)
        h[j] += at(0, i * kK + k) * at(1, k * kH + j);
    for (int64_t j = 0; j != kD; ++j)
      for (int64_t k = 0; k != kH; ++k)
        d[j] += std::abs(h[k] - at(2, j * kH + k));
    for (int64_t j = 0; j != kN; ++j)
      for (int64_t k = 0; k != kD; ++k)
        result[i * kN + j] += d[k] * at(3, k * kN + j);
  }
  return result;
}

class LaunchGeneratorTest : public testing::TestWithParam<tsync::Mode> {
protected:
  LaunchGeneratorTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.insert<ToyDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerTarget(createToyCPU());
  }

  OwningOpRef<ModuleOp> compile(llvm::StringRef target,
                                bool reference = false) {
    auto module = parseSourceString<ModuleOp>(kChain, &context);
    GroutPipelineOptions options;
    options.target = target.str();
    options.mode = tsync::getModeOption(GetParam());
    options.reference = reference;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  MLIRContext context;
};

TEST_P(LaunchGeneratorTest, AContractionFromOutsideRunsInAChain) {
  OwningOpRef<ModuleOp> module = compile("toy-cpu");
  ASSERT_TRUE(module);
  FailureOr<std::vector<uint8_t>> artifact = writeArtifact(*module, {});
  ASSERT_TRUE(succeeded(artifact));

  grout_module *loaded = nullptr;
  ASSERT_EQ(
      grout_module_load_memory(artifact->data(), artifact->size(), &loaded),
      GROUT_OK)
      << grout_last_error();
  EXPECT_STREQ(grout_module_target(loaded), "toy-cpu");
  grout_session_config config;
  grout_session_config_init(&config);
  config.workers = 4;
  config.poison_intermediates = 1;
  config.delay_seed = 1;
  grout_session *session = nullptr;
  ASSERT_EQ(grout_session_create(loaded, &config, &session), GROUT_OK)
      << grout_last_error();

  std::mt19937 chance(1);
  std::uniform_real_distribution<float> element(-1, 1);
  std::vector<Buffer> inputs(4), outputs(1);
  for (Buffer &input : inputs)
    for (float &value : input.elements)
      value = element(chance);
  const void *in[] = {&inputs[0], &inputs[1], &inputs[2], &inputs[3]};
  void *out[] = {outputs.data()};
  std::vector<double> expected = compute(inputs);
  for (int run = 0; run != 3; ++run) {
    ASSERT_EQ(grout_session_run(session, in, out, nullptr), GROUT_OK)
        << grout_last_error();
    for (size_t i = 0; i != expected.size(); ++i)
      ASSERT_NEAR(outputs[0].elements[i], expected[i], 1e-3);
  }
  grout_session_destroy(session);
  grout_module_destroy(loaded);
}

TEST_P(LaunchGeneratorTest, ItsReferenceIsMadeFromWhatItConsistsOf) {
  OwningOpRef<ModuleOp> module = compile("toy-cpu", /*reference=*/true);
  ASSERT_TRUE(module);
  FailureOr<std::vector<uint8_t>> artifact = writeArtifact(*module, {});
  ASSERT_TRUE(succeeded(artifact));
  grout_module *loaded = nullptr;
  ASSERT_EQ(
      grout_module_load_memory(artifact->data(), artifact->size(), &loaded),
      GROUT_OK)
      << grout_last_error();
  grout_session_config config;
  grout_session_config_init(&config);
  config.plan = GROUT_PLAN_REFERENCE;
  grout_session *session = nullptr;
  ASSERT_EQ(grout_session_create(loaded, &config, &session), GROUT_OK)
      << grout_last_error();

  std::mt19937 chance(1);
  std::uniform_real_distribution<double> element(-1, 1);
  std::vector<BufferOf<double>> inputs(4), outputs(1);
  for (BufferOf<double> &input : inputs)
    for (double &value : input.elements)
      value = element(chance);
  const void *in[] = {&inputs[0], &inputs[1], &inputs[2], &inputs[3]};
  void *out[] = {outputs.data()};
  ASSERT_EQ(grout_session_run(session, in, out, nullptr), GROUT_OK)
      << grout_last_error();
  std::vector<double> expected = compute(inputs);
  for (size_t i = 0; i != expected.size(); ++i)
    ASSERT_NEAR(outputs[0].elements[i], expected[i], 1e-9);
  grout_session_destroy(session);
  grout_module_destroy(loaded);
}

TEST_P(LaunchGeneratorTest, ATargetWithoutItRefusesItByName) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_FALSE(compile("cpu"));
  EXPECT_THAT(message,
              testing::ContainsRegex("cannot be compiled for cpu: there are no "
                                     "kernels for .*'toy.distances'"));
}

INSTANTIATE_TEST_SUITE_P(Modes, LaunchGeneratorTest,
                         testing::Values(tsync::Mode::serial,
                                         tsync::Mode::persistent));

} // namespace
