//===- KernelAnswersTest.cpp - Generators of kernels that err -------------===//
//
// Part of Grout. A generator from outside makes kernels of products for a GPU,
// and does one thing wrong. Without a diagnostic, the GPU would refuse the
// launch, or run it too early.
//
//===----------------------------------------------------------------------===//

#include "../Target/TestTargets.h"
#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/TileSynchronisation.h"
#include "grout/InitAllDialects.h"
#include "grout/Pipelines/Pipelines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace grout;

namespace {

enum class Fault {
  none,
  otherEntry,
  noBody,
  noKernel,
  fewArgs,
  fewThreads,
  noThreads,
  noStart,
  noWaits,
  noEnd,
  noStates,
  otherStates,
  shortTile,
  wideTile,
  shortGrid,
};

/// What the generator does wrong in the test that runs.
Fault fault;

constexpr int64_t kThreads = 64;

/// Makes kernels that wait and post as they should, and compute nothing.
class IdleGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override {
    return launch.getKernels().size() == 1;
  }

  FailureOr<LaunchCode> generate(launch::TilesOp launch, LaunchTensors &,
                                 Operation *module,
                                 const TargetSpec &) const override {
    TileKernelOpInterface kernel = launch.getKernels().front();
    LaunchBuffers buffers;
    for (Value buffer : launch.getInputs())
      buffers.getIndex(buffer);
    for (Value buffer : launch.getOutputs())
      buffers.getIndex(buffer);
    auto sync = TileSynchronisation::get(launch, kernel.getOperation());
    LaunchCode code;
    code.entries = {launch.getName().str()};
    llvm::append_range(code.buffers, buffers.getBuffers());
    code.args = buffers.getArgs(launch.getContext());
    llvm::append_range(code.args, sync.getArgs(launch.getContext()));
    FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
    code.grids = {{(*grid)[0] * (*grid)[1]}};
    code.block = kThreads;
    LLVM::LLVMFuncOp func = createKernel(module, launch, code.args.size());
    if (fault != Fault::noBody &&
        failed(fill(func, sync, buffers.getBuffers().size(), *grid)))
      return failure();
    if (fault == Fault::otherEntry)
      code.entries = {"other"};
    if (fault == Fault::fewArgs)
      code.args.pop_back();
    if (fault == Fault::fewThreads)
      code.block = 32;
    if (fault == Fault::noThreads) {
      func->removeAttr(NVVM::NVVMDialect::getReqntidAttrName());
      code.block = 0;
    }
    return code;
  }

private:
  static LLVM::LLVMFuncOp createKernel(Operation *module,
                                       launch::TilesOp launch, size_t params) {
    MLIRContext *context = launch.getContext();
    auto builder =
        OpBuilder::atBlockEnd(cast<gpu::GPUModuleOp>(module).getBody());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(context),
        SmallVector<Type>(params, LLVM::LLVMPointerType::get(context)));
    auto func = LLVM::LLVMFuncOp::create(builder, launch.getLoc(),
                                         launch.getName(), type);
    if (fault != Fault::noKernel)
      func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                  builder.getDenseI32ArrayAttr({kThreads, 1, 1}));
    return func;
  }

  static LogicalResult fill(LLVM::LLVMFuncOp func,
                            const TileSynchronisation &sync, size_t numBuffers,
                            ArrayRef<int64_t> grid) {
    OpBuilder inside(func.getContext());
    Block *entry = func.addEntryBlock(inside);
    ImplicitLocOpBuilder b(func.getLoc(), OpBuilder::atBlockBegin(entry));
    SmallVector<Value> states(func.getArguments().drop_front(numBuffers));
    if (fault != Fault::noStart)
      emitStart(b, sync);
    Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
    Value columns = arith::ConstantIntOp::create(b, b.getI32Type(), grid[1]);
    SmallVector<Value> tile{arith::DivUIOp::create(b, block, columns),
                            arith::RemUIOp::create(b, block, columns)};
    if (fault == Fault::noStates)
      states.clear();
    if (fault == Fault::otherStates)
      states.assign(states.size(), block);
    if (fault == Fault::shortTile)
      tile.pop_back();
    if (fault == Fault::wideTile)
      tile[0] = arith::ExtUIOp::create(b, b.getI64Type(), tile[0]);
    if (fault == Fault::shortGrid)
      grid = grid.drop_back();
    if (fault != Fault::noWaits &&
        failed(emitTileWaits(b, sync, states, grid, tile)))
      return failure();
    if (fault != Fault::noEnd && failed(emitEnd(b, sync, states, tile)))
      return failure();
    LLVM::ReturnOp::create(b, ValueRange());
    return success();
  }
};

/// Two products, each of two tiles.
constexpr llvm::StringLiteral kProducts = R"(
  func.func @f(%x: tensor<128x64xf16>, %w: tensor<64x64xf16>)
      -> tensor<128x64xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf16>
    %y = tgemm.matmul %h, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf16>
    return %y : tensor<128x64xf16>
  })";

class KernelAnswersTest : public testing::Test {
protected:
  KernelAnswersTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    registerTarget(test::createHopper(test::getSpec("h200", "idle-h200"),
                                      std::make_unique<IdleGenerator>()));
  }

  /// Compiles kProducts in `mode`, with a generator that does `wrong`. Returns
  /// the first error; none if there is none.
  std::string compile(tsync::Mode mode, Fault wrong) {
    fault = wrong;
    auto module = parseSourceString<ModuleOp>(kProducts, &context);
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty() &&
          diagnostic.getSeverity() == DiagnosticSeverity::Error)
        error = diagnostic.str();
    });
    GroutPipelineOptions options;
    options.target = "idle-h200";
    options.mode = tsync::getModeOption(mode);
    options.reference = false;
    PassManager passes(&context);
    buildGroutPipeline(passes, options);
    EXPECT_EQ(failed(passes.run(*module)), !error.empty());
    return error;
  }

  MLIRContext context;
};

TEST_F(KernelAnswersTest, RightOnesAreTaken) {
  for (tsync::Mode mode :
       {tsync::Mode::serial, tsync::Mode::pdl, tsync::Mode::overlap})
    EXPECT_EQ(compile(mode, Fault::none), "");
}

TEST_F(KernelAnswersTest, WhatDoesNotFitTheLaunchIsAnError) {
  std::string start = "cannot be compiled for idle-h200: the generator made a "
                      "wrong kernel for 'tgemm.matmul': ";
  for (auto [wrong, message] : {
           std::pair(Fault::otherEntry,
                     "the module of kernels has no code of entry 'other'"),
           std::pair(Fault::noBody, "the module of kernels has no code of "
                                    "entry 'f_chain0_kernel0'"),
           std::pair(Fault::noKernel, "entry 'f_chain0_kernel0' has no "
                                      "attribute 'nvvm.kernel'"),
           std::pair(Fault::fewArgs, "entry 'f_chain0_kernel0' has 3 "
                                     "parameters, but LaunchCode::args has 2"),
           std::pair(Fault::fewThreads,
                     "entry 'f_chain0_kernel0' is for blocks of 64 threads, "
                     "but LaunchCode::block is 32"),
           std::pair(Fault::noThreads, "LaunchCode::block is 0, but blocks "
                                       "have a multiple of 32 threads"),
       })
    EXPECT_EQ(compile(tsync::Mode::serial, wrong), start + message);
}

TEST_F(KernelAnswersTest, WaitsAndPostsThatAreNotThereAreErrors) {
  auto expectError = [&](tsync::Mode mode, Fault wrong, StringRef message) {
    EXPECT_THAT(compile(mode, wrong), testing::HasSubstr(message.str()));
  };
  expectError(tsync::Mode::overlap, Fault::noWaits,
              "it waits for no tiles, though it reads some that others write; "
              "TileSynchronisation makes waits and posts");
  expectError(tsync::Mode::overlap, Fault::noEnd,
              "it posts no tiles, though others wait for them");
  expectError(tsync::Mode::pdl, Fault::noStart,
              "it never waits for the launches before, though it starts early");
  // Nobody waits where one launch ends before the next one starts.
  for (Fault wrong : {Fault::noStart, Fault::noWaits, Fault::noEnd})
    EXPECT_EQ(compile(tsync::Mode::serial, wrong), "");
}

TEST_F(KernelAnswersTest, CallsOfTileSynchronisationAreChecked) {
  // The first kernel has one state, as it owns its semaphores, and only posts.
  std::string states = "emitEnd takes states of types ('!llvm.ptr'), the "
                       "parameters of TileSynchronisation::getArgs, but was "
                       "given ";
  std::string tile =
      "emitEnd takes a tile of types ('i32', 'i32'), a "
      "coordinate for each dimension of the grid, but was given ";
  std::string grid = "emitTileWaits takes a grid of 2 dimensions, the "
                     "kernel's, but was given one of 1";
  for (const auto &[wrong, message] :
       {std::pair(Fault::noStates, states + "()"),
        std::pair(Fault::otherStates, states + "('i32')"),
        std::pair(Fault::shortTile, tile + "('i32')"),
        std::pair(Fault::wideTile, tile + "('i64', 'i32')"),
        std::pair(Fault::shortGrid, grid)}) {
    EXPECT_EQ(compile(tsync::Mode::overlap, wrong), message);
    EXPECT_EQ(compile(tsync::Mode::serial, wrong), "");
  }
}

} // namespace
