//===- ValidateTest.cpp - What the validator refuses ----------------------===//
//
// Part of Grout. Each rule is broken on its own in an artifact that is valid
// otherwise, and must be the reason given.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <functional>

using namespace grout;
using namespace grout::artifact;
using namespace grout::test;
using testing::HasSubstr;

namespace {

ArtifactT cpuChain() { return makeChain(fakeElf(/*EM_X86_64*/ 62)); }

TEST(Validate, AcceptsTheArtifactsThatAreBrokenBelow) {
  EXPECT_EQ(loadError(cpuChain()), "");
  EXPECT_EQ(loadError(makeGpuChain()), "");
}

TEST(Validate, AcceptsWaitsThatGiveUp) {
  ArtifactT artifact = makeGpuChain();
  artifact.plan->launches[0]->debug_sync_milliseconds = 2000;
  EXPECT_EQ(loadError(artifact), "");
}

TEST(Validate, AcceptsEmptyVectors) {
  // A tensor of rank 0, and a tensor map of rank 1, which has no strides.
  ArtifactT artifact = makeGpuChain();
  artifact.inputs[1]->shape.clear();
  artifact.plan->buffers[2]->tensor->shape.clear();
  TensorMapArgT &map =
      *artifact.plan->launches[0]->arguments[0]->value.AsTensorMapArg();
  map.sizes.resize(1);
  map.strides.clear();
  map.box.resize(1);
  EXPECT_EQ(loadError(artifact), "");
}

/// A way to break an artifact, and what the message must say.
struct Break {
  const char *name;
  const char *message;
  std::function<void(ArtifactT &)> apply;
};

void PrintTo(const Break &rule, std::ostream *out) { *out << rule.name; }

std::string nameOf(const testing::TestParamInfo<Break> &info) {
  return info.param.name;
}

LaunchT &launch(ArtifactT &artifact) { return *artifact.plan->launches[0]; }
/// Makes the launch exchange data, in a plan of two ranks.
void setExchange(ArtifactT &artifact, uint64_t offset, uint64_t bytes,
                 uint64_t symmetric) {
  artifact.plan->ranks = 2;
  artifact.plan->symmetric = symmetric;
  auto exchange = std::make_unique<ExchangeT>();
  exchange->offset = offset;
  exchange->bytes = bytes;
  launch(artifact).exchange = std::move(exchange);
}
BufferT &buffer(ArtifactT &artifact, size_t index) {
  return *artifact.plan->buffers[index];
}

/// Gives the first launch a nest of task loops, beside what it has.
void addLoops(ArtifactT &artifact, std::vector<uint32_t> grid,
              std::vector<TaskLoop> loops) {
  auto nest = std::make_unique<TaskLoopsT>();
  nest->grid = std::move(grid);
  nest->loops = std::move(loops);
  artifact.plan->launches[0]->task_loops.push_back(std::move(nest));
}

/// The same instead of its tasks.
void setLoops(ArtifactT &artifact, std::vector<uint32_t> grid,
              std::vector<TaskLoop> loops) {
  artifact.plan->launches[0]->tasks.clear();
  addLoops(artifact, std::move(grid), std::move(loops));
}
TensorMapArgT &map(ArtifactT &artifact) {
  return *launch(artifact).arguments[0]->value.AsTensorMapArg();
}
/// Makes it one of pixels.
Im2colT &pixels(ArtifactT &artifact) {
  makePixels(artifact);
  return *map(artifact).im2col;
}

TEST(Validate, AcceptsTensorMapsOfPixels) {
  ArtifactT artifact = makeGpuChain();
  Im2colT &im2col = pixels(artifact);
  EXPECT_EQ(loadError(artifact), "");
  im2col.lower = {-128, 127};
  im2col.upper = {127, -128};
  im2col.steps = {8, 1};
  map(artifact).box = {32, 1024};
  EXPECT_EQ(loadError(artifact), "");
}

/// The more dimensions, the fewer bits each corner has.
TEST(Validate, CornersOfPixelsHaveLimitsByDimensions) {
  for (auto [dims, limit] :
       {std::pair(1, 1 << 15), std::pair(2, 1 << 7), std::pair(3, 1 << 4)}) {
    ArtifactT artifact = makeGpuChain();
    Im2colT &im2col = pixels(artifact);
    map(artifact).sizes = {32};
    map(artifact).sizes.resize(dims + 2, 1);
    map(artifact).strides.assign(dims + 1, 128);
    im2col.upper.assign(dims, limit - 1);
    im2col.lower.assign(dims, -limit);
    im2col.steps.assign(dims, 1);
    EXPECT_EQ(loadError(artifact), "") << dims;
    im2col.upper[0] = limit;
    EXPECT_THAT(loadError(artifact), HasSubstr("has a corner at")) << dims;
    im2col.upper[0] = 0;
    im2col.lower[dims - 1] = -limit - 1;
    EXPECT_THAT(loadError(artifact), HasSubstr("has a corner at")) << dims;
  }
}

TEST(Validate, FunctionNamesAreForPeople) {
  for (const char *name :
       {"a b", "1a", "a-b/c,d@e", "gr\xc3\xbc\xc3\x9f", "."}) {
    ArtifactT artifact = cpuChain();
    artifact.entry = name;
    EXPECT_EQ(loadError(artifact), "") << name;
  }
}

TEST(Validate, ModulesAndNotTheTargetSayWhereAPlanRuns) {
  // Targets from outside have names of their own.
  ArtifactT cpu = cpuChain(), gpu = makeGpuChain();
  cpu.target = gpu.target = "toy";
  EXPECT_EQ(loadError(cpu), "");
  EXPECT_EQ(loadError(gpu), "");
}

class CpuRule : public testing::TestWithParam<Break> {};

TEST_P(CpuRule, IsEnforced) {
  ArtifactT artifact = cpuChain();
  GetParam().apply(artifact);
  EXPECT_THAT(loadError(artifact), HasSubstr(GetParam().message));
}

// Names, signature, modules, buffers, tasks.
const Break kCpuRules[] = {
    {"EmptyProducer", "producer", [](ArtifactT &a) { a.producer = ""; }},
    {"ControlCharacterInMode", "mode", [](ArtifactT &a) { a.mode = "a\nb"; }},
    {"EmptyTarget", "target", [](ArtifactT &a) { a.target = ""; }},
    {"ControlCharacterInFunctionName", "function's name has control",
     [](ArtifactT &a) { a.entry = "a\nb"; }},
    {"EmptyFunctionName", "function's name is empty",
     [](ArtifactT &a) { a.entry = ""; }},
    {"LongFunctionName", "function's name has 1025 characters; at most 1024",
     [](ArtifactT &a) { a.entry.assign(1025, 'a'); }},
    {"EmptyTensorName", "name is empty",
     [](ArtifactT &a) { a.inputs[0]->name = ""; }},
    {"LongTensorName", "input: a tensor's name has 1025 characters",
     [](ArtifactT &a) { a.inputs[0]->name.assign(1025, 'a'); }},
    {"EqualsInTensorName", "contains '='",
     [](ArtifactT &a) { a.inputs[0]->name = "a=b"; }},
    {"UnknownElementType", "unknown element type 9",
     [](ArtifactT &a) { a.inputs[0]->element_type = ElementType(9); }},
    {"NegativeElementType", "unknown element type -1",
     [](ArtifactT &a) { a.inputs[0]->element_type = ElementType(-1); }},
    {"ZeroInShape", "sizes must be positive",
     [](ArtifactT &a) { a.inputs[0]->shape = {0, 4}; }},
    {"NegativeInShape", "sizes must be positive",
     [](ArtifactT &a) { a.inputs[0]->shape = {4, -4}; }},
    {"ShapeOverflows", "larger than the limit",
     [](ArtifactT &a) {
       a.inputs[0]->shape = {int64_t(1) << 32, int64_t(1) << 32};
     }},
    {"TensorAboveLimit", "larger than the limit",
     [](ArtifactT &a) { a.inputs[0]->shape = {(int64_t(1) << 38) + 1}; }},
    {"RankAboveLimit", "has rank 17",
     [](ArtifactT &a) { a.inputs[0]->shape.assign(17, 1); }},
    {"TwoInputsOfOneName", "two inputs have the name 'in'",
     [](ArtifactT &a) { a.inputs[1]->name = "in"; }},
    {"NoOutputs", "no outputs", [](ArtifactT &a) { a.outputs.clear(); }},
    {"UnknownModuleKind", "unknown module kind 7",
     [](ArtifactT &a) { a.modules[0]->kind = ModuleKind(7); }},
    {"EmptyModuleTarget", "module 0: the target",
     [](ArtifactT &a) { a.modules[0]->target = ""; }},
    {"ModuleIsNoElf", "not an ELF image",
     [](ArtifactT &a) { a.modules[0]->data[0] = 'X'; }},
    {"ModuleIsShort", "not an ELF image",
     [](ArtifactT &a) { a.modules[0]->data.resize(63); }},
    {"ModuleIs32Bit", "not 64-bit",
     [](ArtifactT &a) { a.modules[0]->data[4] = 1; }},
    {"ModuleIsTruncated", "ELF image is truncated",
     [](ArtifactT &a) { a.modules[0]->data[40 + 2] = 1; }},
    {"ModuleIsNoSharedObject", "not a shared object",
     [](ArtifactT &a) { a.modules[0]->data[16] = 2; }},
    {"ModuleIsForCuda", "not a shared object",
     [](ArtifactT &a) { a.modules[0]->data = fakeElf(190); }},
    {"PtxBesideSharedObject", "only a cubin",
     [](ArtifactT &a) { a.modules[0]->ptx = {'a', 0}; }},
    {"WatchdogOnTheCpu", "which only those on a GPU do",
     [](ArtifactT &a) { launch(a).debug_sync_milliseconds = 5; }},
    {"NoLaunches", "no launches",
     [](ArtifactT &a) { a.plan->launches.clear(); }},
    {"WorkspaceAboveLimit", "larger than the limit",
     [](ArtifactT &a) { a.plan->workspace = (uint64_t(1) << 40) + 1; }},
    {"UnknownBufferKind", "unknown buffer kind 5",
     [](ArtifactT &a) { buffer(a, 1).kind = BufferKind(5); }},
    {"InputOutOfRange", "bound to input 2 of 2",
     [](ArtifactT &a) { buffer(a, 0).index = 2; }},
    {"OutputOutOfRange", "bound to output 1 of 1",
     [](ArtifactT &a) { buffer(a, 3).index = 1; }},
    {"InPlaceOfNothing", "output 0 of 1 is in place of input 2 of 2",
     [](ArtifactT &a) { a.plan->in_place = {InPlace(0, 2)}; }},
    {"NothingInPlace", "output 1 of 1 is in place of input 0 of 2",
     [](ArtifactT &a) { a.plan->in_place = {InPlace(1, 0)}; }},
    {"InPlaceTwice", "output 'out' is in place of input 'in', and one of them",
     [](ArtifactT &a) { a.plan->in_place = {InPlace(0, 0), InPlace(0, 0)}; }},
    {"InPlaceOfAnotherType",
     "output 'out' is in place of input 'bias', but has type f32[32x64], not",
     [](ArtifactT &a) { a.plan->in_place = {InPlace(0, 1)}; }},
    {"ReferenceInPlace", "a reference has outputs in place of inputs",
     [](ArtifactT &a) { a.reference->in_place = {InPlace(0, 0)}; }},
    {"InputBoundTwice", "bound to two buffers",
     [](ArtifactT &a) { buffer(a, 2).index = 0; }},
    {"InputNotBound", "input 'bias' is bound to no buffer",
     [](ArtifactT &a) {
       buffer(a, 2).kind = BufferKind::Intermediate;
       buffer(a, 2).index = 0;
     }},
    {"OutputNotBound", "output 'out' is bound to no buffer",
     [](ArtifactT &a) { buffer(a, 3).kind = BufferKind::Intermediate; }},
    {"WrongShape", "but input 'in' has f32[32x64]",
     [](ArtifactT &a) { buffer(a, 0).tensor->shape = {64, 32}; }},
    {"WrongRank", "but input 'in' has f32[32x64]",
     [](ArtifactT &a) { buffer(a, 0).tensor->shape = {2048}; }},
    {"WrongElementType", "but output 'out' has f32[32x64]",
     [](ArtifactT &a) {
       buffer(a, 3).tensor->element_type = ElementType::F16;
     }},
    {"WrongShapeInReference", "reference plan: buffer 0",
     [](ArtifactT &a) { a.reference->buffers[0]->tensor->shape = {7}; }},
    {"IntermediateMisaligned", "not a multiple of 256",
     [](ArtifactT &a) { buffer(a, 1).offset = 128; }},
    {"IntermediateOutsideWorkspace", "outside of the workspace",
     [](ArtifactT &a) { buffer(a, 1).offset = 256; }},
    {"IntermediateOffsetOverflows", "outside of the workspace",
     [](ArtifactT &a) { buffer(a, 1).offset = 0xffffffffffffff00; }},
    {"InOutputMisaligned", "its offset 64 is not a multiple of 256",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::InOutput;
       buffer(a, 1).offset = 64;
     }},
    {"InOutputOutside", "8192 bytes at offset 256, outside of output 0 of 8192",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::InOutput;
       buffer(a, 1).offset = 256;
     }},
    {"InOutputOffsetOverflows", "outside of output 0",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::InOutput;
       buffer(a, 1).offset = 0xffffffffffffff00;
     }},
    {"InNoOutput", "it is in output 1, which is not there",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::InOutput;
       buffer(a, 1).index = 1;
     }},
    {"InOutputInPlace", "it is in output 0, which is in place of an input",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::InOutput;
       a.plan->in_place = {InPlace(0, 0)};
     }},
    {"ConstantOfWrongSize", "the constant has 1 bytes of data",
     [](ArtifactT &a) {
       buffer(a, 1).kind = BufferKind::Constant;
       buffer(a, 1).data = {1};
     }},
    {"ConstantWithoutData", "the constant has 0 bytes",
     [](ArtifactT &a) { buffer(a, 1).kind = BufferKind::Constant; }},
    {"ConstantOfNoTruthValue", "the constant has a truth value of 2",
     [](ArtifactT &a) {
       auto constant = std::make_unique<BufferT>();
       constant->kind = BufferKind::Constant;
       constant->tensor = std::make_unique<TensorT>();
       constant->tensor->name = "mask";
       constant->tensor->element_type = ElementType::I1;
       constant->tensor->shape = {3};
       constant->data = {0, 1, 2};
       a.plan->buffers.push_back(std::move(constant));
     }},
    {"DataInIntermediate", "only a constant has data",
     [](ArtifactT &a) { buffer(a, 1).data = {1}; }},
    {"ModuleOutOfRange", "names module 1 of 1",
     [](ArtifactT &a) { launch(a).module_ = 1; }},
    {"EmptyLaunchName", "launch 0: its name",
     [](ArtifactT &a) { launch(a).name = ""; }},
    {"NoEntries", "it has no entries",
     [](ArtifactT &a) { launch(a).entries.clear(); }},
    {"ImplausibleEntry", "not a plausible function name",
     [](ArtifactT &a) { launch(a).entries[0] = "9lives"; }},
    {"EntryWithNul", "not a plausible function name",
     [](ArtifactT &a) { launch(a).entries[0] = std::string("a\0b", 3); }},
    {"LongEntry", "entry 0 has 1025 characters",
     [](ArtifactT &a) { launch(a).entries[0].assign(1025, 'a'); }},
    {"NoTasks", "it has no tasks",
     [](ArtifactT &a) { launch(a).tasks.clear(); }},
    {"BodyOutOfRange", "task 5 has body 2 of 2",
     [](ArtifactT &a) { launch(a).tasks[5] = Task(2, 0, 0, 0); }},
    {"ListAndLoops", "are listed, and given by loops, too",
     [](ArtifactT &a) { addLoops(a, {2}, {{0, 1}}); }},
    {"LoopsOfManyDimensions", "a task grid has 4 dimensions",
     [](ArtifactT &a) { setLoops(a, {1, 1, 1, 1}, {}); }},
    {"LoopsWithoutTiles", "a task grid has an extent of 0",
     [](ArtifactT &a) { setLoops(a, {2, 0}, {{0, 1}}); }},
    {"LoopsOfManyTiles", "more tasks than 32 bits count",
     [](ArtifactT &a) { setLoops(a, {1 << 30, 4}, {{0, 1}, {1, 1}}); }},
    {"LoopsAlongNothing", "goes along dimension 2 of 2",
     [](ArtifactT &a) { setLoops(a, {2, 2}, {{2, 1}}); }},
    {"LoopsOverNothing", "has blocks of 0 of 2",
     [](ArtifactT &a) { setLoops(a, {2, 2}, {{0, 0}}); }},
    {"LoopsOverMoreThanIsLeft", "has blocks of 3 of 2",
     [](ArtifactT &a) { setLoops(a, {4, 1}, {{0, 2}, {0, 3}}); }},
    {"LoopsThatEndEarly", "do not reach single tiles",
     [](ArtifactT &a) { setLoops(a, {4, 2}, {{0, 2}, {1, 1}}); }},
    {"LoopsOfNoBody", "task loops have body 2 of 2",
     [](ArtifactT &a) {
       setLoops(a, {2}, {{0, 1}});
       launch(a).task_loops[0]->body = 2;
     }},
    {"BufferArgOutOfRange", "names buffer 4 of 4",
     [](ArtifactT &a) {
       launch(a).arguments[0]->value.AsBufferArg()->buffer = 4;
     }},
    {"BufferArgOffsetOutside", "not within its buffer of 8192",
     [](ArtifactT &a) {
       launch(a).arguments[0]->value.AsBufferArg()->offset = 8192;
     }},
    {"BufferArgOffsetMisaligned", "not a multiple of the element size",
     [](ArtifactT &a) {
       launch(a).arguments[0]->value.AsBufferArg()->offset = 2;
     }},
    {"TensorMapOnCpu", "cannot take a tensor map",
     [](ArtifactT &a) { launch(a).arguments[0]->value.Set(TensorMapArgT()); }},
    {"SyncStateOnCpu", "takes buffers only",
     [](ArtifactT &a) { launch(a).arguments[0]->value.Set(SyncStateArgT()); }},
    {"SemaphoresOnCpu", "it has the semaphores of launch 0",
     [](ArtifactT &a) { launch(a).arguments[0]->value.Set(SemaphoresArgT()); }},
    {"RankOnCpu", "takes buffers only",
     [](ArtifactT &a) { launch(a).arguments[0]->value.Set(RankArgT()); }},
    {"PeerTooFar", "it is for rank 1 of 1",
     [](ArtifactT &a) {
       PeerArgT peer;
       peer.rank = 1;
       launch(a).arguments[0]->value.Set(std::move(peer));
     }},
    {"TooManyRanks", "it is for 9 ranks, not 1 to 8",
     [](ArtifactT &a) { a.plan->ranks = 9; }},
    {"RanksWithoutMemory", "it is for 2 ranks, and has 0 bytes",
     [](ArtifactT &a) { a.plan->ranks = 2; }},
    {"ExchangeOutside", "its exchange has 512 bytes at 256, outside",
     [](ArtifactT &a) { setExchange(a, 256, 512, 512); }},
    {"ExchangeMisaligned", "its exchange is at byte 8, which is not a multiple",
     [](ArtifactT &a) { setExchange(a, 8, 8, 512); }},
    {"ExchangesAreNotCleared", "two launches exchange data at byte 0",
     [](ArtifactT &a) {
       setExchange(a, 0, 256, 1024);
       for (uint64_t offset : {256, 0, 512}) {
         a.plan->launches.push_back(std::make_unique<LaunchT>(launch(a)));
         a.plan->launches.back()->exchange->offset = offset;
         a.plan->launches.back()->exchange->cleared = offset != 0;
       }
     }},
    {"ExchangesFollow", "two launches exchange data at byte 0",
     [](ArtifactT &a) {
       setExchange(a, 0, 256, 1024);
       launch(a).exchange->cleared = true;
       for (uint64_t offset : {256, 0}) {
         a.plan->launches.push_back(std::make_unique<LaunchT>(launch(a)));
         a.plan->launches.back()->exchange->offset = offset;
       }
     }},
    {"ExchangesOverlap", "two launches exchange data at byte 0",
     [](ArtifactT &a) {
       setExchange(a, 0, 256, 512);
       a.plan->launches.push_back(std::make_unique<LaunchT>(launch(a)));
     }},
    {"TooManySemaphores", "semaphores; the limit is",
     [](ArtifactT &a) { launch(a).semaphores = (1u << 22) + 1; }},
    {"NoResidents", "0 resident tiles",
     [](ArtifactT &a) { launch(a).min_residents = 0; }},
    {"BranchTooFar", "it is on branch 32; a plan has the branches 0 to 31",
     [](ArtifactT &a) { launch(a).branch = 32; }},
    {"EdgeToItself", "does not come before it",
     [](ArtifactT &a) {
       launch(a).after.push_back(std::make_unique<EdgeT>());
     }},
    {"FaultInReference", "reference plan: launch 0: it has no tasks",
     [](ArtifactT &a) { a.reference->launches[0]->tasks.clear(); }},
};

INSTANTIATE_TEST_SUITE_P(Validate, CpuRule, testing::ValuesIn(kCpuRules),
                         nameOf);

class GpuRule : public testing::TestWithParam<Break> {};

TEST_P(GpuRule, IsEnforced) {
  ArtifactT artifact = makeGpuChain();
  GetParam().apply(artifact);
  EXPECT_THAT(loadError(artifact), HasSubstr(GetParam().message));
}

LaunchT &fixedLaunch(ArtifactT &artifact) {
  return *artifact.plan->launches[1];
}

const Break kGpuRules[] = {
    {"CubinIsForACpu", "not for CUDA",
     [](ArtifactT &a) { a.modules[0]->data = fakeElf(62); }},
    {"PtxWithoutNul", "does not end with a NUL",
     [](ArtifactT &a) { a.modules[0]->ptx.back() = 'x'; }},
    {"PtxWithInnerNul", "NUL before its end",
     [](ArtifactT &a) { a.modules[0]->ptx[3] = 0; }},
    {"PtxModuleWithoutNul", "does not end with a NUL",
     [](ArtifactT &a) {
       a.modules[0]->kind = ModuleKind::Ptx;
       a.modules[0]->ptx.clear();
       a.modules[0]->data = {'x', 'y'};
     }},
    {"MixedPlan", "mixes launches",
     [](ArtifactT &a) {
       auto module = std::make_unique<ModuleT>();
       module->kind = ModuleKind::SharedObject;
       module->target = "x86-64";
       module->data = fakeElf(62);
       a.modules.push_back(std::move(module));
       fixedLaunch(a).module_ = 1;
     }},
    {"DotInEntry", "entry 0 is not a plausible function name for a GPU",
     [](ArtifactT &a) { launch(a).entries[0] = "a.b"; }},
    {"EntryIsAnUnderscore", "entry 0 is not a plausible function name",
     [](ArtifactT &a) { launch(a).entries[0] = "_"; }},
    {"TwoEntries", "has one entry, not 2",
     [](ArtifactT &a) { launch(a).entries.push_back("other"); }},
    {"EmptyBlock", "a block of 0 threads",
     [](ArtifactT &a) { launch(a).block = 0; }},
    {"BlockNotOfWarps", "a block of 100 threads",
     [](ArtifactT &a) { launch(a).block = 100; }},
    {"BlockTooLarge", "a block of 1056 threads",
     [](ArtifactT &a) { launch(a).block = 1056; }},
    {"EmptyCluster", "a cluster of 0 blocks",
     [](ArtifactT &a) { launch(a).cluster = 0; }},
    {"ClusterTooLarge", "a cluster of 9 blocks",
     [](ArtifactT &a) { launch(a).cluster = 9; }},
    {"TooMuchSharedMemory", "bytes of dynamic shared memory",
     [](ArtifactT &a) { launch(a).dynamic_shared_memory = 227 * 1024 + 1; }},
    {"NoBlocksPerProcessor", "0 blocks per processor",
     [](ArtifactT &a) { launch(a).blocks_per_processor = 0; }},
    {"TooManyBlocksPerProcessor", "33 blocks per processor",
     [](ArtifactT &a) { launch(a).blocks_per_processor = 33; }},
    {"UnknownGridKind", "unknown grid kind 2",
     [](ArtifactT &a) { launch(a).grid_kind = GridKind(2); }},
    {"PersistentWithoutTasks", "it has no tasks",
     [](ArtifactT &a) { launch(a).tasks.clear(); }},
    {"PersistentWithoutSyncState", "needs its synchronisation state",
     [](ArtifactT &a) {
       launch(a).arguments.erase(launch(a).arguments.begin() + 4);
     }},
    {"FixedWithoutGrid", "needs 3 sizes",
     [](ArtifactT &a) { fixedLaunch(a).grid.clear(); }},
    {"FixedWithTwoSizes", "needs 3 sizes",
     [](ArtifactT &a) { fixedLaunch(a).grid = {1, 1}; }},
    {"ZeroInGridX", "0 blocks in x",
     [](ArtifactT &a) { fixedLaunch(a).grid = {0, 1, 1}; }},
    {"GridTooLargeInX", "2147483648 blocks in x",
     [](ArtifactT &a) { fixedLaunch(a).grid = {1u << 31, 1, 1}; }},
    {"GridTooLargeInY", "65536 blocks in y",
     [](ArtifactT &a) { fixedLaunch(a).grid = {1, 65536, 1}; }},
    {"ZeroInGridZ", "0 blocks in z",
     [](ArtifactT &a) { fixedLaunch(a).grid = {1, 1, 0}; }},
    {"GridNotOfClusters", "not divisible into clusters of 3",
     [](ArtifactT &a) { fixedLaunch(a).cluster = 3; }},
    {"Parts", "its kernels have 3 blocks in all, but its grid 4",
     [](ArtifactT &a) {
       fixedLaunch(a).grid = {4, 1, 1};
       fixedLaunch(a).parts = {2, 1};
     }},
    {"EmptyPart", "one of its kernels has no blocks",
     [](ArtifactT &a) { fixedLaunch(a).parts = {4, 0}; }},
    {"PartsOfTooManyBlocks",
     "its kernels have 4294967299 blocks in all, but its grid 4",
     [](ArtifactT &a) { fixedLaunch(a).parts = {0xffffffff, 4}; }},
    {"PartsWithoutGrid", "blocks of several kernels, but no fixed grid",
     [](ArtifactT &a) { launch(a).parts = {4}; }},
    {"FixedWithTasks", "a fixed grid and a task list",
     [](ArtifactT &a) { fixedLaunch(a).tasks = {Task(0, 0, 0, 0)}; }},
    {"FixedWithTaskCount", "has no tasks to pass",
     [](ArtifactT &a) {
       fixedLaunch(a).arguments[0]->value.Set(TaskCountArgT());
     }},
    {"TooManyParameters", "a kernel can have 32764",
     [](ArtifactT &a) {
       for (int i = 0; i != 4096; ++i) {
         auto argument = std::make_unique<ArgumentT>();
         argument->value.Set(SyncStateArgT());
         launch(a).arguments.push_back(std::move(argument));
       }
     }},
    {"WatchdogWithoutSemaphores", "no semaphores to wait for",
     [](ArtifactT &a) {
       launch(a).debug_sync_milliseconds = 5;
       launch(a).semaphores = 0;
     }},
    {"WatchdogWithoutState", "no semaphores to wait for",
     [](ArtifactT &a) {
       fixedLaunch(a).debug_sync_milliseconds = 5;
       fixedLaunch(a).semaphores = 1;
     }},
    {"SemaphoresOfItself", "semaphores of launch 1, which does not come before",
     [](ArtifactT &a) {
       SemaphoresArgT semaphores;
       semaphores.launch = 1;
       fixedLaunch(a).arguments[0]->value.Set(std::move(semaphores));
     }},
    {"EdgeToLaterLaunch", "ordered after launch 1",
     [](ArtifactT &a) { fixedLaunch(a).after[0]->launch = 1; }},
    {"EdgeOutOfRange", "ordered after launch 77",
     [](ArtifactT &a) { fixedLaunch(a).after[0]->launch = 77; }},
    {"UnknownEdgeKind", "unknown edge kind 9",
     [](ArtifactT &a) { fixedLaunch(a).after[0]->kind = EdgeKind(9); }},
    {"MapOfPixelsWithoutSteps", "rank 4, but 2 and 2 corners and 0 steps",
     [](ArtifactT &a) { pixels(a).steps.clear(); }},
    {"MapOfPixelsWithFewerCorners", "rank 4, but 1 and 2 corners and 2 steps",
     [](ArtifactT &a) { pixels(a).lower.pop_back(); }},
    {"MapOfPixelsWithMoreCorners", "rank 4, but 2 and 3 corners and 2 steps",
     [](ArtifactT &a) { pixels(a).upper.push_back(0); }},
    {"MapOfPixelsInFourDimensions", "rank 4, but 4 and 4 corners and 4 steps",
     [](ArtifactT &a) {
       pixels(a).lower.resize(4);
       map(a).im2col->upper.resize(4);
       map(a).im2col->steps.resize(4, 1);
     }},
    {"MapOfPixelsOfRankTwo", "rank 2, but 2 and 2 corners and 2 steps",
     [](ArtifactT &a) {
       pixels(a);
       map(a).sizes.resize(2);
     }},
    {"MapOfPixelsOfRankFive", "rank 5, but 2 and 2 corners and 2 steps",
     [](ArtifactT &a) {
       pixels(a);
       map(a).sizes.push_back(1);
       map(a).strides.push_back(16);
     }},
    {"MapOfPixelsWithoutStride", "but 2 strides",
     [](ArtifactT &a) {
       pixels(a);
       map(a).strides.pop_back();
     }},
    {"MapOfPixelsWithWholeBox", "rank 4, but 3 strides and 4 box sizes",
     [](ArtifactT &a) {
       pixels(a);
       map(a).box.resize(4, 1);
     }},
    {"MapOfPixelsLowCorner", "has a corner at -129, not -128 to 127",
     [](ArtifactT &a) { pixels(a).lower[1] = -129; }},
    {"MapOfPixelsHighCorner", "has a corner at 128, not -128 to 127",
     [](ArtifactT &a) { pixels(a).upper[0] = 128; }},
    {"MapOfPixelsFarCorner", "has a corner at -2147483648, not -128 to 127",
     [](ArtifactT &a) { pixels(a).upper[1] = INT32_MIN; }},
    {"MapOfPixelsStepZero", "has steps of 0 pixels, not 1 to 8",
     [](ArtifactT &a) { pixels(a).steps[0] = 0; }},
    {"MapOfPixelsStepNine", "has steps of 9 pixels, not 1 to 8",
     [](ArtifactT &a) { pixels(a).steps[1] = 9; }},
    {"MapOfTooManyPixels", "has box size 1025, not 1 to 1024",
     [](ArtifactT &a) {
       pixels(a);
       map(a).box[1] = 1025;
     }},
    {"MapOfNoPixels", "has box size 0, not 1 to 1024",
     [](ArtifactT &a) {
       pixels(a);
       map(a).box[1] = 0;
     }},
    {"MapOfPixelsBoxTooLarge", "has box size 257, not 1 to 256",
     [](ArtifactT &a) {
       pixels(a);
       map(a).box[0] = 257;
     }},
    {"MapOfPixelsBeyondBuffer", "reaches beyond its buffer",
     [](ArtifactT &a) {
       pixels(a);
       map(a).sizes[3] = 3;
     }},
    {"MapOfMissingBuffer", "names buffer 9 of 4",
     [](ArtifactT &a) { map(a).buffer = 9; }},
    {"MapOfUnknownType", "unknown element type 9",
     [](ArtifactT &a) { map(a).element_type = ElementType(9); }},
    {"MapOfIntegers", "elements of i32, which are no floats",
     [](ArtifactT &a) { map(a).element_type = ElementType::I32; }},
    {"MapOfTruthValues", "elements of i1, which are no floats",
     [](ArtifactT &a) { map(a).element_type = ElementType::I1; }},
    {"MapOfRankZero", "has rank 0", [](ArtifactT &a) { map(a).sizes.clear(); }},
    {"MapOfRankSix", "has rank 6",
     [](ArtifactT &a) { map(a).sizes.assign(6, 1); }},
    {"MapWithoutStride", "but 0 strides",
     [](ArtifactT &a) { map(a).strides.clear(); }},
    {"MapWithExtraBox", "3 box sizes",
     [](ArtifactT &a) { map(a).box.push_back(1); }},
    {"MapOffsetMisaligned", "offset 8 is not a multiple of 16",
     [](ArtifactT &a) { map(a).offset = 8; }},
    {"MapSizeZero", "has size 0", [](ArtifactT &a) { map(a).sizes[1] = 0; }},
    {"MapSizeTooLarge", "not 1 to 2^32",
     [](ArtifactT &a) { map(a).sizes[1] = (uint64_t(1) << 32) + 1; }},
    {"MapStrideMisaligned", "has stride 264",
     [](ArtifactT &a) { map(a).strides[0] = 264; }},
    {"MapStrideTooLarge", "below 2^40",
     [](ArtifactT &a) { map(a).strides[0] = uint64_t(1) << 40; }},
    {"MapBoxZero", "has box size 0", [](ArtifactT &a) { map(a).box[1] = 0; }},
    {"MapBoxTooLarge", "has box size 257",
     [](ArtifactT &a) { map(a).box[1] = 257; }},
    {"MapInnerBoxMisaligned", "has 120 bytes, not a multiple of 16",
     [](ArtifactT &a) { map(a).box[0] = 30; }},
    {"MapInnerBoxAboveSwizzle", "has 128 bytes; its swizzle spans 64",
     [](ArtifactT &a) { map(a).swizzle = Swizzle::B64; }},
    {"MapUnknownSwizzle", "unknown swizzle 4",
     [](ArtifactT &a) { map(a).swizzle = Swizzle(4); }},
    {"MapBeyondBuffer", "reaches beyond its buffer",
     [](ArtifactT &a) { map(a).sizes[1] = 33; }},
    {"MapOffsetBeyondBuffer", "reaches beyond its buffer",
     [](ArtifactT &a) { map(a).offset = 16; }},
    {"PeerWithoutExchange", "arguments for other ranks, but no exchange",
     [](ArtifactT &a) { launch(a).arguments[0]->value.Set(RankArgT()); }},
    {"MapOffsetOverflows", "reaches beyond its buffer",
     [](ArtifactT &a) { map(a).offset = 0xfffffffffffffff0; }},
    {"MapExtentOverflows", "reaches beyond its buffer",
     [](ArtifactT &a) {
       map(a).sizes[1] = uint64_t(1) << 32;
       map(a).strides[0] = (uint64_t(1) << 40) - 16;
     }},
};

INSTANTIATE_TEST_SUITE_P(Validate, GpuRule, testing::ValuesIn(kGpuRules),
                         nameOf);

} // namespace
