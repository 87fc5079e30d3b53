//===- OperandLoaderTest.cpp - A product from outside, on Hopper
//-----------===//
//
// Part of Grout. A product that Grout does not know is added as an embedding
// compiler adds one: an op, and what loads its operands. Tilings, their model,
// epilogues, chains, and all code but the loads come for nothing.
//
//===----------------------------------------------------------------------===//

#include "../Target/TestTargets.h"
#include "grout/Codegen/PTX.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Hopper/Gemm/ProductLaunchGenerator.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Regex.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

/// How far rows are shifted.
constexpr int64_t kShift = 5;

/// y(m, n) = sum of x(m + 5, k) * w(k, n) over k, where x is 0 beyond its last
/// row: what one tap of a convolution is.
class ShiftedProductOp
    : public Op<ShiftedProductOp, OpTrait::OneRegion, OpTrait::OneResult,
                OpTrait::ZeroSuccessors, OpTrait::AtLeastNOperands<2>::Impl,
                OpTrait::IsIsolatedFromAbove, OpTrait::SingleBlock,
                MemoryEffectOpInterface::Trait, TileKernelOpInterface::Trait,
                tgemm::ProductOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShiftedProductOp)
  using Op::Op;

  static StringRef getOperationName() { return "toy.shifted_product"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}

  RankedTensorType getTensorType(unsigned operand) {
    return cast<RankedTensorType>(getOperand(operand).getType());
  }

  // ProductOpInterface
  int64_t getBatch() { return 1; }
  int64_t getM() { return getTensorType(0).getDimSize(0); }
  int64_t getN() { return getTensorType(1).getDimSize(1); }
  int64_t getK() { return getTensorType(0).getDimSize(1); }
  bool isBatched() { return false; }
  Value getLhs() { return getOperand(0); }
  OperandRange getRhs() { return getOperation()->getOperands().slice(1, 1); }
  unsigned getNumProducts() { return 1; }
  bool getTransposeLhs() { return false; }
  bool getTransposeRhs() { return false; }
  FloatType getInputElementType() {
    return cast<FloatType>(getTensorType(0).getElementType());
  }
  FloatType getResultElementType() { return getInputElementType(); }
  Region &getEpilogue() { return getOperation()->getRegion(0); }
  OperandRange getEpilogueInputs() {
    return getOperation()->getOperands().drop_front(2);
  }
  AffineMap getEpilogueMap(unsigned index) {
    auto maps = (*this)->getAttrOfType<ArrayAttr>("epilogue_maps");
    return cast<AffineMapAttr>(maps[index]).getValue();
  }
  void setEpilogueInputs(ValueRange inputs, ArrayAttr maps) {
    (*this)->setOperands(2, getEpilogueInputs().size(), inputs);
    (*this)->setAttr("epilogue_maps", maps);
  }
  bool takesEpilogue() { return true; }
  tgemm::ProductOpInterface buildWithEpilogue(OpBuilder &builder, Type type,
                                              ValueRange rhs, ValueRange inputs,
                                              ArrayAttr maps) {
    OperationState state(getLoc(), getOperationName());
    state.addTypes(type);
    state.addOperands((*this)->getOperand(0));
    state.addOperands(rhs);
    state.addRegion();
    auto product = cast<ShiftedProductOp>(builder.create(state));
    product.setEpilogueInputs(inputs, maps);
    if (std::optional<tgemm::TilingAttr> tiling = getTiling())
      product.setTilingAttr(*tiling);
    return cast<tgemm::ProductOpInterface>(product.getOperation());
  }
  Value getResult() { return getOperation()->getResult(0); }
  std::optional<tgemm::TilingAttr> getTiling() {
    auto tiling = (*this)->getAttrOfType<tgemm::TilingAttr>("tiling");
    return tiling ? std::optional(tiling) : std::nullopt;
  }
  void setTilingAttr(tgemm::TilingAttr tiling) {
    if (tiling)
      (*this)->setAttr("tiling", tiling);
    else
      (*this)->removeAttr("tiling");
  }
  std::optional<tgemm::StreamK> getStreamK() { return std::nullopt; }
  Value getPartialSums() { return {}; }
  std::optional<unsigned> getPartialSumsOperand() { return std::nullopt; }

  // TileKernelOpInterface
  FailureOr<SmallVector<int64_t>> getTileGrid() {
    std::optional<tgemm::TilingAttr> tiling = getTiling();
    if (!tiling)
      return failure();
    return SmallVector<int64_t>{
        int64_t(llvm::divideCeil(getM(), tiling->getM())),
        int64_t(llvm::divideCeil(getN(), tiling->getN()))};
  }
  int64_t getStepCount() {
    return int64_t(llvm::divideCeil(getK(), getTiling()->getK()));
  }
  TileAccess getOperandAccess(OpOperand &operand) {
    // (tile row, tile column, step, row, column)
    MLIRContext *context = getContext();
    auto dim = [&](unsigned position) {
      return getAffineDimExpr(position, context);
    };
    tgemm::TilingAttr tiling = *getTiling();
    if (isReadAfterSteps(operand)) {
      TileAccess access = getResultAccess((*this)->getResult(0));
      unsigned input = operand.getOperandNumber() - 2;
      access.map = getEpilogueMap(input).compose(access.map);
      return access;
    }
    AffineExpr k = dim(2) * tiling.getK();
    if (operand.getOperandNumber() == 1)
      return {AffineMap::get(
                  5, 0, {k + dim(3), dim(1) * tiling.getN() + dim(4)}, context),
              {tiling.getK(), tiling.getN()}};
    return {AffineMap::get(
                5, 0, {dim(0) * tiling.getM() + kShift + dim(3), k + dim(4)},
                context),
            {tiling.getM(), tiling.getK()}};
  }
  TileAccess getResultAccess(OpResult) {
    MLIRContext *context = getContext();
    auto dim = [&](unsigned position) {
      return getAffineDimExpr(position, context);
    };
    tgemm::TilingAttr tiling = *getTiling();
    return {AffineMap::get(5, 0,
                           {dim(0) * tiling.getM() + dim(3),
                            dim(1) * tiling.getN() + dim(4)},
                           context),
            {tiling.getM(), tiling.getN()}};
  }
  bool isReadAfterSteps(OpOperand &operand) {
    return operand.getOperandNumber() >= 2;
  }
  TileWork getTileWork() {
    TileWork work;
    tgemm::TilingAttr tiling = *getTiling();
    work.flops = 2 * tiling.getM() * tiling.getN() * getK();
    work.clusterSize = tiling.getClusterSize();
    return work;
  }
};

class ToyDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToyDialect)
  explicit ToyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<ToyDialect>()) {
    addOperations<ShiftedProductOp>();
  }
  static StringRef getDialectNamespace() { return "toy"; }
};

//===----------------------------------------------------------------------===//
// Its loads
//===----------------------------------------------------------------------===//

/// Reads rows of lhs from further down. TMA makes zeros of what is not there.
class ShiftedLoader : public hopper::MatrixLoader {
public:
  bool handles(Operation *product) const override {
    return isa<ShiftedProductOp>(product);
  }

  SmallVector<hopper::OperandCopy>
  getCopies(const hopper::GemmContext &context, const hopper::BodyPlan &body,
            const hopper::OperandPlan &operand,
            const hopper::OperandPart &part) const override {
    hopper::OperandPart shifted = part;
    if (body.isLhs(operand))
      shifted.first = context.b.add(part.first, kShift);
    return MatrixLoader::getCopies(context, body, operand, shifted);
  }
};

/// An H200 that has them.
std::unique_ptr<Target> createToyGPU() {
  auto generator = std::make_unique<hopper::ProductLaunchGenerator>();
  generator->add(std::make_unique<ShiftedLoader>());
  return test::createHopper(test::getSpec("h200", "toy-gpu"),
                            std::move(generator));
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Behind a product that it reads, and before what becomes its epilogue.
constexpr llvm::StringLiteral kChain = R"(
  func.func @f(%x: tensor<500x512xf16>, %w: tensor<512x1024xf16>,
               %v: tensor<1024x512xf16>, %bias: tensor<512xf16>)
      -> tensor<500x512xf16> {
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty() : tensor<500x1024xf16>
    %z = linalg.fill ins(%zero : f16) outs(%e : tensor<500x1024xf16>)
         -> tensor<500x1024xf16>
    %h = linalg.matmul ins(%x, %w : tensor<500x512xf16>, tensor<512x1024xf16>)
         outs(%z : tensor<500x1024xf16>) -> tensor<500x1024xf16>
    %p = "toy.shifted_product"(%h, %v) ({})
        : (tensor<500x1024xf16>, tensor<1024x512xf16>) -> tensor<500x512xf16>
    %ye = tensor.empty() : tensor<500x512xf16>
    %y = linalg.generic {
        indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                         affine_map<(m, n) -> (m, n)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%p, %bias : tensor<500x512xf16>, tensor<512xf16>)
        outs(%ye : tensor<500x512xf16>) {
    ^bb0(%a: f16, %b: f16, %unused: f16):
      %sum = arith.addf %a, %b : f16
      %zero16 = arith.constant 0.0 : f16
      %positive = arith.maximumf %sum, %zero16 : f16
      linalg.yield %positive : f16
    } -> tensor<500x512xf16>
    return %y : tensor<500x512xf16>
  })";

class OperandLoaderTest : public testing::TestWithParam<tsync::Mode> {
protected:
  OperandLoaderTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerPTXTranslations(registry);
    registry.insert<ToyDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerTarget(createToyGPU());
  }

  OwningOpRef<ModuleOp> run(llvm::StringRef target,
                            void (*build)(OpPassManager &,
                                          const GroutPipelineOptions &)) {
    auto module = parseSourceString<ModuleOp>(kChain, &context);
    GroutPipelineOptions options;
    options.target = target.str();
    options.mode = tsync::getModeOption(GetParam());
    options.reference = false;
    PassManager passes(&context);
    build(passes, options);
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  MLIRContext context;
};

TEST_P(OperandLoaderTest, AProductFromOutsideGetsATilingAndAProof) {
  OwningOpRef<ModuleOp> module = run("toy-gpu", buildSynchronisedPipeline);
  ASSERT_TRUE(module);
  unsigned chains = 0;
  module->walk([&](tsync::ChainOp chain) {
    ++chains;
    EXPECT_EQ(chain.getKernels().size(), 2u);
    for (Operation *kernel : chain.getKernels())
      EXPECT_TRUE(cast<tgemm::ProductOpInterface>(kernel).getTiling());
    EXPECT_EQ(chain.isSynchronisedByTile(), chain.getResidents().has_value());
  });
  EXPECT_EQ(chains, 1u);
}

TEST_P(OperandLoaderTest, WhatFollowsItIsItsEpilogue) {
  OwningOpRef<ModuleOp> module = run("toy-gpu", buildSynchronisedPipeline);
  ASSERT_TRUE(module);
  unsigned products = 0;
  module->walk([&](ShiftedProductOp product) {
    ++products;
    EXPECT_EQ(product.getEpilogueInputs().size(), 1u);
    ASSERT_TRUE(product.getEpilogue().hasOneBlock());
    EXPECT_FALSE(
        product.getEpilogue().front().getOps<arith::MaximumFOp>().empty());
  });
  EXPECT_EQ(products, 1u);
}

TEST_P(OperandLoaderTest, OnlyItsLoadsAreItsOwn) {
  OwningOpRef<ModuleOp> module = run("toy-gpu", buildGroutPipeline);
  ASSERT_TRUE(module);
  unsigned modules = 0;
  module->walk([&](gpu::GPUModuleOp kernels) {
    ++modules;
    FailureOr<std::string> ptx = translateToPTX(kernels);
    ASSERT_TRUE(succeeded(ptx));
    StringRef text(*ptx);
    EXPECT_TRUE(text.contains("wgmma.mma_async"));
    EXPECT_TRUE(text.contains("cp.async.bulk.tensor.2d"));
    // Rows from the shift on.
    EXPECT_TRUE(llvm::Regex("(add.s32|or.b32) [^\n]*, 5;").match(text));
  });
  EXPECT_EQ(modules, 1u);
}

TEST_P(OperandLoaderTest, NobodyMakesPartsOfIt) {
  OwningOpRef<ModuleOp> module = run("toy-gpu", buildSynchronisedPipeline);
  ASSERT_TRUE(module);
  const auto &model =
      *lookupTarget("toy-gpu")->getInterface<tgemm::ProductModel>();
  module->walk([&](ShiftedProductOp product) {
    EXPECT_THAT(model.findProblem(
                    cast<tgemm::ProductOpInterface>(product.getOperation()),
                    product.getTiling()->withParts(/*parts=*/4, /*tail=*/1)),
                testing::HasSubstr("no kernel makes its partial sums"));
  });
}

TEST_P(OperandLoaderTest, ATargetWithoutThemRefusesItByName) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_FALSE(run("h200", buildGroutPipeline));
  EXPECT_THAT(message,
              testing::ContainsRegex("cannot be compiled for h200: there are "
                                     "no kernels for .*'toy.shifted_product'"));
}

INSTANTIATE_TEST_SUITE_P(Modes, OperandLoaderTest,
                         testing::ValuesIn(tsync::getModes()));

} // namespace
