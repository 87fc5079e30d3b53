//===- TileAnswersTest.cpp - Tile kernels that answer anything ------------===//
//
// Part of Grout. An op from outside answers TileKernelOpInterface at random,
// rightly or wrongly, and the code of its tiles is what it may be, too.
// Whatever they say, there is an error at the op, or the artifact computes what
// the op means.
//
//===----------------------------------------------------------------------===//

#include "grout-c/Runtime.h"
#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/InitAllDialects.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/ArtifactWriter.h"
#include "grout/Target/CPU/KernelGenerator.h"
#include "grout/Target/CPU/LaunchGenerators.h"
#include "grout/Target/CPU/ProductModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;

namespace {

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// How tiles are numbered; all of these are right.
enum class Numbering { rowsFirst, columnsFirst, linear };

/// What is wrong with an answer, if anything.
enum class Fault {
  none,
  // Of the kernel.
  gridFails,
  gridZero,
  gridNegative,
  gridDynamic,
  gridHuge,
  gridUncountable,
  gridEmpty,
  gridShort,
  stepsZero,
  stepsNegative,
  stepsDynamic,
  runsZero,
  clusterZero,
  clusterOfThree,
  partOfNext,
  // Of an access.
  mapNull,
  mapDims,
  mapResults,
  mapSymbol,
  mapHuge,
  boxRank,
  boxZero,
  boxNegative,
  boxOutside,
  guardNull,
  guardDims,
  // Of the access of a result.
  writeTwice,
  writeHole,
  writeStep,
  updatesNothing,
};
constexpr auto kNumFaults = static_cast<unsigned>(Fault::updatesNothing) + 1;

/// What is wrong with the code of a tile.
enum class BodyFault {
  none,
  fails,
  empty,
  writesNothing,
  writesOperand,
  foreignValue,
  noWaits,
  noPosts,
};

/// What the op and its body say and do in the test that runs.
struct Answers {
  Numbering numbering = Numbering::rowsFirst;
  int64_t tileRows = 16, tileColumns = 16;
  /// Tiles besides those that are needed.
  int64_t moreRows = 0;
  int64_t steps = 1;
  Fault fault = Fault::none;
  /// Whether the fault is in what it reads, not in what it writes.
  bool ofOperand = false;
  BodyFault bodyFault = BodyFault::none;
};
Answers answers;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

/// y(i, j) = x(i, j) + x(i, j).
class TwiceOp : public Op<TwiceOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                          OpTrait::ZeroSuccessors, OpTrait::OneOperand,
                          MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TwiceOp)
  using Op::Op;
  static StringRef getOperationName() { return "fuzz.twice"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}
};

/// The same, but it says nothing of its effects.
class SecretOp : public Op<SecretOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                           OpTrait::ZeroSuccessors, OpTrait::OneOperand> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SecretOp)
  using Op::Op;
  static StringRef getOperationName() { return "fuzz.secret"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

ArrayRef<int64_t> getShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

int64_t getTileRows(Operation *op) {
  return llvm::divideCeil(getShape(op)[0], answers.tileRows) + answers.moreRows;
}
int64_t getTileColumns(Operation *op) {
  return llvm::divideCeil(getShape(op)[1], answers.tileColumns);
}

template <typename OpT>
struct Tiles : TileKernelOpInterface::ExternalModel<Tiles<OpT>, OpT> {
  FailureOr<SmallVector<int64_t>> getTileGrid(Operation *op) const {
    SmallVector<int64_t> grid = {getTileRows(op), getTileColumns(op)};
    if (answers.numbering == Numbering::columnsFirst)
      std::swap(grid[0], grid[1]);
    if (answers.numbering == Numbering::linear)
      grid = {grid[0] * grid[1]};
    switch (answers.fault) {
    case Fault::gridFails:
      return failure();
    case Fault::gridZero:
      grid[0] = 0;
      break;
    case Fault::gridNegative:
      grid.back() = -1;
      break;
    case Fault::gridDynamic:
      grid.back() = ShapedType::kDynamic;
      break;
    case Fault::gridHuge:
      grid[0] = int64_t(1) << 31;
      break;
    case Fault::gridUncountable:
      grid.assign(grid.size() + 1, INT32_MAX);
      grid.push_back(INT32_MAX);
      break;
    case Fault::gridEmpty:
      return SmallVector<int64_t>();
    case Fault::gridShort:
      return getShortGrid(op);
    default:
      break;
    }
    return grid;
  }

  int64_t getStepCount(Operation *) const {
    switch (answers.fault) {
    case Fault::stepsZero:
      return 0;
    case Fault::stepsNegative:
      return -3;
    case Fault::stepsDynamic:
      return ShapedType::kDynamic;
    default:
      return answers.steps;
    }
  }

  std::optional<int64_t> getStepsInOrder(Operation *) const {
    if (answers.fault == Fault::runsZero)
      return 0;
    return std::nullopt;
  }

  TileAccess getOperandAccess(Operation *op, OpOperand &) const {
    TileAccess access = getAccess(op);
    return answers.ofOperand ? damage(access) : access;
  }

  TileAccess getResultAccess(Operation *op, OpResult) const {
    TileAccess access = getAccess(op);
    return answers.ofOperand ? access : damage(access);
  }

  OpOperand *getUpdatedOperand(Operation *op, OpResult) const {
    if (answers.fault != Fault::updatesNothing)
      return nullptr;
    // Of who reads the result, not of the op.
    return op->getResult(0).use_empty() ? nullptr
                                        : &*op->getResult(0).getUses().begin();
  }

  bool isPartOfNext(Operation *) const {
    return answers.fault == Fault::partOfNext;
  }

  TileWork getTileWork(Operation *) const {
    TileWork work;
    if (answers.fault == Fault::clusterZero)
      work.clusterSize = 0;
    if (answers.fault == Fault::clusterOfThree)
      work.clusterSize = 3;
    return work;
  }

private:
  /// Without the last tiles that are needed.
  static SmallVector<int64_t> getShortGrid(Operation *op) {
    int64_t rows = getTileRows(op) - answers.moreRows;
    int64_t columns = getTileColumns(op);
    switch (answers.numbering) {
    case Numbering::rowsFirst:
      return {rows - 1, columns};
    case Numbering::columnsFirst:
      return {columns, rows - 1};
    case Numbering::linear:
      return {rows * columns - 1};
    }
    llvm_unreachable("unknown numbering");
  }

  /// The right answer.
  static TileAccess getAccess(Operation *op) {
    MLIRContext *context = op->getContext();
    bool isLinear = answers.numbering == Numbering::linear;
    unsigned rank = isLinear ? 1 : 2;
    auto dim = [&](unsigned i) { return getAffineDimExpr(i, context); };
    AffineExpr row = dim(0), column = dim(1);
    if (isLinear) {
      row = dim(0).floorDiv(getTileColumns(op));
      column = dim(0) % getTileColumns(op);
    } else if (answers.numbering == Numbering::columnsFirst) {
      std::swap(row, column);
    }
    return {AffineMap::get(rank + 3, 0,
                           {row * answers.tileRows + dim(rank + 1),
                            column * answers.tileColumns + dim(rank + 2)},
                           context),
            {answers.tileRows, answers.tileColumns}};
  }

  /// `access` with the fault.
  static TileAccess damage(TileAccess access) {
    AffineMap map = access.map;
    MLIRContext *context = map.getContext();
    SmallVector<AffineExpr> results(map.getResults());
    unsigned dims = map.getNumDims(), rank = dims - 3;
    auto set = [&](unsigned numDims, unsigned numSymbols = 0) {
      access.map = AffineMap::get(numDims, numSymbols, results, context);
    };
    switch (answers.fault) {
    case Fault::mapNull:
      access.map = AffineMap();
      break;
    case Fault::mapDims:
      set(dims + 1);
      break;
    case Fault::mapResults:
      results.pop_back();
      set(dims);
      break;
    case Fault::mapSymbol:
      results[0] = results[0] + getAffineSymbolExpr(0, context);
      set(dims, 1);
      break;
    case Fault::mapHuge:
      results[1] = results[1] * (int64_t(1) << 62);
      set(dims);
      break;
    case Fault::boxRank:
      access.localSizes.pop_back();
      break;
    case Fault::boxZero:
      access.localSizes[0] = 0;
      break;
    case Fault::boxNegative:
      access.localSizes[1] = -5;
      break;
    case Fault::boxOutside:
      results[0] = results[0] + 1000;
      set(dims);
      break;
    case Fault::guardNull:
      access.guards.emplace_back();
      break;
    case Fault::guardDims:
      access.guards.push_back(getAffineDimExpr(dims, context));
      break;
    case Fault::writeTwice:
      ++access.localSizes[0];
      break;
    case Fault::writeHole:
      access.guards.push_back(getAffineDimExpr(rank + 1, context) +
                              getAffineDimExpr(rank + 2, context) - 1);
      break;
    case Fault::writeStep:
      results[1] = results[1] + getAffineDimExpr(rank, context);
      set(dims);
      break;
    default:
      break;
    }
    return access;
  }
};

class FuzzDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuzzDialect)
  explicit FuzzDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<FuzzDialect>()) {
    addOperations<TwiceOp, SecretOp>();
  }
  static StringRef getDialectNamespace() { return "fuzz"; }
};

//===----------------------------------------------------------------------===//
// Its tiles
//===----------------------------------------------------------------------===//

class TwiceBody : public cpu::TileBodyGenerator {
public:
  bool handles(Operation *kernel) const override {
    return isa<TwiceOp>(kernel);
  }

  LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                     const SemaphoreLayout &layout,
                     CPUTileBody &body) const override {
    BodyFault fault = answers.bodyFault;
    if (fault == BodyFault::fails)
      return failure();
    if (fault == BodyFault::empty)
      return success();
    Operation *op = kernel;
    FailureOr<BufferView> in = tensors.getView(op->getOperand(0), op);
    FailureOr<BufferView> out = tensors.getView(op->getResult(0), op);
    if (failed(in) || failed(out))
      return failure();
    Value x = body.getMemRef(*in), y = body.getMemRef(*out);
    OpBuilder &b = body.builder;
    Location loc = body.loc;
    cpu::KernelSync sync(op, layout, body, [](unsigned) { return true; });
    if (fault != BodyFault::noWaits)
      sync.emitBeforeSteps(b);
    if (fault == BodyFault::foreignValue)
      b.create(loc, b.getStringAttr("fuzz.twice"), op->getOperand(0),
               op->getResult(0).getType());

    // Which row and column of tiles it is.
    Value row = body.tile[0], column = body.tile.back();
    if (answers.numbering == Numbering::columnsFirst)
      std::swap(row, column);
    if (answers.numbering == Numbering::linear) {
      Value columns = body.createIndex(getTileColumns(op));
      column = arith::RemUIOp::create(b, loc, row, columns);
      row = arith::DivUIOp::create(b, loc, row, columns);
    }
    auto createLoop = [&](Value tile, int64_t size, int64_t extent) {
      Value sizeValue = body.createIndex(size);
      Value begin = arith::MulIOp::create(b, loc, tile, sizeValue);
      Value end = arith::MinSIOp::create(
          b, loc, arith::AddIOp::create(b, loc, begin, sizeValue),
          body.createIndex(extent));
      auto loop = scf::ForOp::create(b, loc, begin, end, body.createIndex(1));
      b.setInsertionPointToStart(loop.getBody());
      return loop;
    };
    auto rows = createLoop(row, answers.tileRows, getShape(op)[0]);
    auto columns = createLoop(column, answers.tileColumns, getShape(op)[1]);
    SmallVector<Value> element = {rows.getInductionVar(),
                                  columns.getInductionVar()};
    Value value = memref::LoadOp::create(b, loc, x, element);
    value = arith::AddFOp::create(b, loc, value, value);
    if (fault != BodyFault::writesNothing)
      memref::StoreOp::create(b, loc, value, y, element);
    if (fault == BodyFault::writesOperand)
      memref::StoreOp::create(b, loc, value, x, element);
    b.setInsertionPointAfter(rows);
    if (fault != BodyFault::noPosts)
      sync.emitPosts(b);
    return success();
  }
};

/// Fails without a word, or forgets the buffers.
class CarelessGenerator : public LaunchGenerator {
public:
  explicit CarelessGenerator(bool fails) : fails(fails) {}
  bool handles(launch::TilesOp) const override { return true; }
  FailureOr<LaunchCode> generate(launch::TilesOp, LaunchTensors &, Operation *,
                                 const TargetSpec &) const override {
    if (fails)
      return failure();
    LaunchCode code;
    code.entries = {"nothing"};
    code.grids = {{1}};
    return code;
  }

private:
  bool fails;
};

std::unique_ptr<Target> createCPU(llvm::StringRef name,
                                  std::unique_ptr<LaunchGenerator> generator) {
  TargetSpec spec = lookupTarget("cpu")->getSpec();
  spec.name = name;
  auto target = std::make_unique<Target>(spec);
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<cpu::CPUProductModel>(spec));
  target->setInterface<KernelGenerator>(
      std::make_unique<cpu::CPUKernelGenerator>());
  auto launches = std::make_unique<cpu::CPULaunchGenerators>();
  launches->add(std::move(generator));
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}

/// Fails without a word.
class SilentPolicy : public launch::SchedulingPolicy {
public:
  llvm::StringRef getName() const override { return "silent"; }
  LogicalResult schedule(launch::PlanOp, const TargetSpec &) const override {
    return failure();
  }
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

constexpr int64_t kRows = 50, kColumns = 24;

/// Whose result is the function's.
constexpr llvm::StringLiteral kAlone = R"(
  func.func @f(%x: tensor<50x24xf32>) -> tensor<50x24xf32> {
    %y = "fuzz.twice"(%x) : (tensor<50x24xf32>) -> tensor<50x24xf32>
    return %y : tensor<50x24xf32>
  })";

/// Between two others; the first is a product with the identity.
constexpr llvm::StringLiteral kChain = R"(
  func.func @f(%x: tensor<50x24xf32>, %e: tensor<24x24xf32>)
      -> tensor<50x24xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<50x24xf32>
    %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<50x24xf32>)
        -> tensor<50x24xf32>
    %h = linalg.matmul ins(%x, %e : tensor<50x24xf32>, tensor<24x24xf32>)
        outs(%start : tensor<50x24xf32>) -> tensor<50x24xf32>
    %y = "fuzz.twice"(%h) : (tensor<50x24xf32>) -> tensor<50x24xf32>
    %z = linalg.matmul ins(%y, %e : tensor<50x24xf32>, tensor<24x24xf32>)
        outs(%start : tensor<50x24xf32>) -> tensor<50x24xf32>
    return %z : tensor<50x24xf32>
  })";

struct alignas(GROUT_BUFFER_ALIGNMENT) Buffer {
  float elements[kRows * kColumns];
};

class TileAnswersTest : public testing::Test {
protected:
  TileAnswersTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.insert<FuzzDialect>();
    registry.addExtension(+[](MLIRContext *context, FuzzDialect *) {
      TwiceOp::attachInterface<Tiles<TwiceOp>>(*context);
      SecretOp::attachInterface<Tiles<SecretOp>>(*context);
    });
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    auto generator = std::make_unique<cpu::CPULaunchGenerator>();
    generator->add(std::make_unique<TwiceBody>());
    registerTarget(createCPU("fuzz-cpu", std::move(generator)));
    registerTarget(
        createCPU("failing-cpu", std::make_unique<CarelessGenerator>(true)));
    registerTarget(
        createCPU("forgetful-cpu", std::make_unique<CarelessGenerator>(false)));
    launch::registerSchedulingPolicy(std::make_unique<SilentPolicy>());
    answers = Answers();
  }

  /// Compiles `source`; null with errors in `errors`. `location` becomes that
  /// of the op.
  OwningOpRef<ModuleOp> compile(llvm::StringRef source, tsync::Mode mode,
                                llvm::StringRef target = "fuzz-cpu",
                                llvm::StringRef policy = "sequential") {
    errors.clear();
    remarks.clear();
    auto module = parseSourceString<ModuleOp>(source, &context);
    module->walk([&](TwiceOp op) { location = op.getLoc(); });
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back({diagnostic.getLocation(), diagnostic.str()});
      if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
        remarks += diagnostic.str();
    });
    GroutPipelineOptions options;
    options.target = target.str();
    options.mode = tsync::getModeOption(mode);
    options.launchPolicy = policy.str();
    options.reference = reference;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  /// Runs `module`, which has `numInputs`, and expects twice its first.
  void expectTwice(ModuleOp module, unsigned numInputs) {
    FailureOr<std::vector<uint8_t>> artifact = writeArtifact(module, {});
    ASSERT_TRUE(succeeded(artifact));
    grout_module *loaded = nullptr;
    ASSERT_EQ(
        grout_module_load_memory(artifact->data(), artifact->size(), &loaded),
        GROUT_OK)
        << grout_last_error();
    grout_session_config config;
    grout_session_config_init(&config);
    config.workers = 4;
    config.poison_intermediates = 1;
    config.delay_seed = 1;
    grout_session *session = nullptr;
    ASSERT_EQ(grout_session_create(loaded, &config, &session), GROUT_OK)
        << grout_last_error();
    std::vector<Buffer> buffers(3);
    Buffer &x = buffers[0], &identity = buffers[1], &y = buffers[2];
    for (int64_t i = 0; i != kRows * kColumns; ++i) {
      x.elements[i] = static_cast<float>(i % 101);
      identity.elements[i] = i % (kColumns + 1) == 0 ? 1 : 0;
      y.elements[i] = -1;
    }
    const void *in[] = {&x, &identity};
    void *out[] = {&y};
    ASSERT_LE(numInputs, 2U);
    ASSERT_EQ(grout_session_run(session, in, out, nullptr), GROUT_OK)
        << grout_last_error();
    for (int64_t i = 0; i != kRows * kColumns; ++i)
      ASSERT_EQ(y.elements[i], 2 * x.elements[i]) << "element " << i;
    grout_session_destroy(session);
    grout_module_destroy(loaded);
  }

  /// Compiles and runs `answers`; returns whether they were accepted.
  bool check(bool isChain, tsync::Mode mode) {
    OwningOpRef<ModuleOp> module = compile(isChain ? kChain : kAlone, mode);
    if (module) {
      expectTwice(*module, isChain ? 2 : 1);
      return true;
    }
    EXPECT_FALSE(errors.empty()) << "it fails without a word";
    if (!errors.empty()) {
      EXPECT_EQ(errors.front().first, location) << errors.front().second;
      EXPECT_THAT(errors.front().second, testing::HasSubstr("'fuzz.twice'"));
    }
    return false;
  }

  MLIRContext context;
  /// Whether there is a plan to check against.
  bool reference = false;
  Location location = UnknownLoc::get(&context);
  std::vector<std::pair<Location, std::string>> errors;
  std::string remarks;
};

/// Whether a fault is one of `getOperandAccess` as well.
bool isOfAnyAccess(Fault fault) {
  return fault >= Fault::mapNull && fault <= Fault::guardDims;
}

TEST_F(TileAnswersTest, WrongAnswersAreErrorsAtTheOpAndOthersRunRight) {
  std::mt19937 random(20261128);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (unsigned number = 0; number != 300; ++number) {
    answers = Answers();
    answers.numbering = static_cast<Numbering>(draw(0, 2));
    answers.tileRows = draw(3, 40);
    answers.tileColumns = draw(3, 30);
    answers.moreRows = draw(0, 1);
    answers.steps = draw(1, 3);
    bool isRight = draw(0, 7) == 0;
    answers.fault =
        isRight ? Fault::none : static_cast<Fault>(draw(1, kNumFaults - 1));
    answers.ofOperand = isOfAnyAccess(answers.fault) && draw(0, 1);
    bool isChain = draw(0, 1);
    tsync::Mode mode =
        draw(0, 1) ? tsync::Mode::serial : tsync::Mode::persistent;
    SCOPED_TRACE("case " + std::to_string(number) + ", fault " +
                 std::to_string(static_cast<unsigned>(answers.fault)) +
                 (answers.ofOperand ? " of the operand" : "") +
                 (isChain ? ", in a chain" : ""));
    EXPECT_EQ(check(isChain, mode), isRight);
  }
}

TEST_F(TileAnswersTest, ErrorsSayWhatWasAnsweredAndWhatWasExpected) {
  answers.fault = Fault::mapNull;
  answers.ofOperand = true;
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial));
  EXPECT_EQ(errors.front().second,
            "'fuzz.twice' op implements TileKernelOpInterface wrongly: "
            "getOperandAccess of operand 0 returns no map, but it must go from "
            "5 dimensions (2 of "
            "the grid, the step, 2 of the box) and no symbols to the 2 of "
            "'tensor<50x24xf32>'");
  answers.fault = Fault::gridShort;
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial));
  EXPECT_THAT(errors.front().second,
              testing::HasSubstr("do not write every element of result 0 once: "
                                 "no tile writes element [48, 0]; getTileGrid "
                                 "returns [3, 2], getResultAccess "));
}

TEST_F(TileAnswersTest, BodiesThatDoTooLittleAreErrors) {
  auto isAccepted = [&](BodyFault fault, bool isChain, tsync::Mode mode) {
    answers.bodyFault = fault;
    return check(isChain, mode);
  };
  for (BodyFault fault :
       {BodyFault::fails, BodyFault::empty, BodyFault::writesNothing,
        BodyFault::writesOperand, BodyFault::foreignValue})
    for (tsync::Mode mode : {tsync::Mode::serial, tsync::Mode::persistent}) {
      EXPECT_FALSE(isAccepted(fault, false, mode));
      EXPECT_FALSE(isAccepted(fault, true, mode));
    }
  // Where nobody waits, nobody has to.
  for (BodyFault fault : {BodyFault::noWaits, BodyFault::noPosts}) {
    EXPECT_TRUE(isAccepted(fault, true, tsync::Mode::serial));
    EXPECT_FALSE(isAccepted(fault, true, tsync::Mode::persistent));
  }
}

TEST_F(TileAnswersTest, ElementsThatAreNoNumbersAreErrors) {
  for (StringRef type : {"index", "complex<f32>", "vector<4xf32>"}) {
    std::string source;
    llvm::raw_string_ostream(source)
        << "func.func @f(%x: tensor<50x24x" << type << ">) -> tensor<50x24x"
        << type << "> {"
        << "  %y = \"fuzz.twice\"(%x) : (tensor<50x24x" << type
        << ">) -> tensor<50x24x" << type << ">"
        << "  return %y : tensor<50x24x" << type << "> }";
    for (tsync::Mode mode : {tsync::Mode::serial, tsync::Mode::persistent}) {
      EXPECT_FALSE(compile(source, mode));
      EXPECT_EQ(errors.front().first, location);
      EXPECT_THAT(errors.front().second,
                  testing::HasSubstr("'fuzz.twice' op has a result of elements "
                                     "'" +
                                     type.str() +
                                     "', but kernels write floats or "
                                     "integers"));
    }
  }
}

TEST_F(TileAnswersTest, AScalarOperandIsAnError) {
  EXPECT_FALSE(compile(R"(
    func.func @f() -> tensor<50x24xf32> {
      %x = arith.constant 3.0 : f32
      %y = "fuzz.twice"(%x) : (f32) -> tensor<50x24xf32>
      return %y : tensor<50x24xf32>
    })",
                       tsync::Mode::serial));
  EXPECT_EQ(errors.front().first, location);
  EXPECT_EQ(errors.front().second,
            "'fuzz.twice' op cannot be compiled: it reads a value of type "
            "'f32', but kernels read tensors alone; what is known when "
            "compiling may be an attribute");
}

TEST_F(TileAnswersTest, GeneratorsOfLaunchesThatDoTooLittleAreErrors) {
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "failing-cpu"));
  EXPECT_EQ(errors.front().second,
            "cannot be compiled for failing-cpu: the generator fails, and does "
            "not say why, for 'fuzz.twice'");
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "forgetful-cpu"));
  EXPECT_EQ(errors.front().second,
            "cannot be compiled for forgetful-cpu: the generator made a kernel "
            "that does not take the buffer of output 0, for 'fuzz.twice'");
}

TEST_F(TileAnswersTest, APolicyThatFailsSilentlyIsNamed) {
  EXPECT_FALSE(compile(kAlone, tsync::Mode::serial, "fuzz-cpu", "silent"));
  EXPECT_EQ(errors.front().second, "policy 'silent' of launch-schedule fails "
                                   "for plan 'f' and does not say why");
}

TEST_F(TileAnswersTest, AnOpOfUnknownEffectsIsInNoChain) {
  std::string source = kAlone.str();
  source.replace(source.find("twice"), 5, "secret");
  EXPECT_FALSE(compile(source, tsync::Mode::serial));
  EXPECT_THAT(remarks,
              testing::HasSubstr("'fuzz.secret' is not taken into a chain: it "
                                 "has effects on memory, or does not say by "
                                 "MemoryEffectOpInterface (trait Pure) that it "
                                 "has none"));
  EXPECT_THAT(errors.front().second, testing::HasSubstr("'fuzz.secret'"));
}

TEST_F(TileAnswersTest, AnOpThatDoesNotSayWhatItConsistsOfHasNoReference) {
  reference = true;
  EXPECT_TRUE(compile(kAlone, tsync::Mode::serial));
  EXPECT_EQ(remarks, "there will be no reference to check 'f' against: "
                     "'fuzz.twice' has no plain kernel, and does not say what "
                     "it consists of (AggregatedOpInterface)");
}

} // namespace
