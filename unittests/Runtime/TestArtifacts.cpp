//===- TestArtifacts.cpp - Artifacts to test with -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"
#include "grout/Runtime/ArtifactFile.h"

#include "gtest/gtest.h"

#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

using namespace grout;
using namespace grout::artifact;

static std::vector<uint8_t> compile(const std::string &defines) {
  char path[] = "/tmp/grout-test-XXXXXX";
  int file = mkstemp(path);
  if (file == -1)
    return {};
  close(file);
  std::string command = std::string(GROUT_TEST_CC) +
                        " -std=c11 -O1 -g -shared -fPIC -ffp-contract=off "
                        "-I" GROUT_TEST_INCLUDE " " GROUT_TEST_CFLAGS " " +
                        defines + " -o " + path + " " GROUT_TEST_BODIES;
  int status = std::system(command.c_str());
  std::ifstream stream(path, std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  unlink(path);
  return status == 0 ? bytes : std::vector<uint8_t>();
}

const std::vector<uint8_t> &test::compileBodies(const std::string &defines) {
  static std::map<std::string, std::vector<uint8_t>> compiled;
  auto [found, isNew] = compiled.try_emplace(defines);
  if (isNew)
    found->second = compile(defines);
  EXPECT_FALSE(found->second.empty()) << "cannot compile TileBodies.c";
  return found->second;
}

static std::unique_ptr<TensorT> makeTensor(const char *name, ElementType type,
                                           std::vector<int64_t> shape) {
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name;
  tensor->element_type = type;
  tensor->shape = std::move(shape);
  return tensor;
}

static std::unique_ptr<BufferT> makeBuffer(BufferKind kind, const char *name,
                                           ElementType type,
                                           std::vector<int64_t> shape,
                                           uint32_t index = 0) {
  auto buffer = std::make_unique<BufferT>();
  buffer->kind = kind;
  buffer->tensor = makeTensor(name, type, std::move(shape));
  buffer->index = index;
  return buffer;
}

static std::unique_ptr<ArgumentT> makeBufferArg(uint32_t buffer) {
  BufferArgT arg;
  arg.buffer = buffer;
  auto argument = std::make_unique<ArgumentT>();
  argument->value.Set(std::move(arg));
  return argument;
}

template <typename T> static std::unique_ptr<ArgumentT> makeArg(T value) {
  auto argument = std::make_unique<ArgumentT>();
  argument->value.Set(std::move(value));
  return argument;
}

/// Tasks of the chain in tile order: all of `scale`, then all of `mirror`.
static std::vector<Task> makeTasks() {
  std::vector<Task> tasks;
  for (uint32_t body : {0u, 1u})
    for (uint32_t x = 0; x != test::kRowBlocks; ++x)
      for (uint32_t y = 0; y != test::kColumns / test::kTileColumns; ++y)
        tasks.emplace_back(body, x, y, 0);
  return tasks;
}

static ArtifactT makeSignature() {
  ArtifactT artifact;
  artifact.producer = "grout test";
  artifact.entry = "chain";
  artifact.mode = "persistent";
  artifact.inputs.push_back(
      makeTensor("in", ElementType::F32, {test::kRows, test::kColumns}));
  artifact.inputs.push_back(
      makeTensor("bias", ElementType::F32, {test::kColumns}));
  artifact.outputs.push_back(
      makeTensor("out", ElementType::F32, {test::kRows, test::kColumns}));
  return artifact;
}

/// Input, intermediate, input, output: the arguments of TileBodies.c.
static std::unique_ptr<PlanT> makeChainPlan() {
  auto plan = std::make_unique<PlanT>();
  plan->buffers.push_back(makeBuffer(BufferKind::Input, "in", ElementType::F32,
                                     {test::kRows, test::kColumns}, 0));
  plan->buffers.push_back(makeBuffer(BufferKind::Intermediate, "hidden",
                                     ElementType::F32,
                                     {test::kRows, test::kColumns}));
  plan->buffers.push_back(makeBuffer(BufferKind::Input, "bias",
                                     ElementType::F32, {test::kColumns}, 1));
  plan->buffers.push_back(makeBuffer(BufferKind::Output, "out",
                                     ElementType::F32,
                                     {test::kRows, test::kColumns}, 0));
  plan->workspace = test::kElements * sizeof(float);
  auto launch = std::make_unique<LaunchT>();
  launch->name = "chain";
  launch->tasks = makeTasks();
  launch->grid_kind = GridKind::Persistent;
  launch->semaphores = test::kRowBlocks;
  plan->launches.push_back(std::move(launch));
  return plan;
}

ArtifactT test::makeChain(const std::vector<uint8_t> &code) {
  ArtifactT artifact = makeSignature();
  artifact.target = "cpu";
  auto module = std::make_unique<ModuleT>();
  module->kind = ModuleKind::SharedObject;
#if defined(__aarch64__)
  module->target = "aarch64";
#else
  module->target = "x86-64";
#endif
  module->data = code;
  artifact.modules.push_back(std::move(module));

  artifact.plan = makeChainPlan();
  LaunchT &launch = *artifact.plan->launches[0];
  launch.entries = {"scale", "mirror"};
  for (uint32_t i = 0; i != 4; ++i)
    launch.arguments.push_back(makeBufferArg(i));

  artifact.reference = std::make_unique<PlanT>();
  PlanT &reference = *artifact.reference;
  reference.buffers.push_back(makeBuffer(
      BufferKind::Input, "in", ElementType::F64, {kRows, kColumns}, 0));
  reference.buffers.push_back(
      makeBuffer(BufferKind::Input, "bias", ElementType::F64, {kColumns}, 1));
  reference.buffers.push_back(makeBuffer(
      BufferKind::Output, "out", ElementType::F64, {kRows, kColumns}, 0));
  auto plain = std::make_unique<LaunchT>();
  plain->name = "reference";
  plain->entries = {"reference"};
  plain->tasks = {Task(0, 0, 0, 0)};
  for (uint32_t i = 0; i != 3; ++i)
    plain->arguments.push_back(makeBufferArg(i));
  reference.launches.push_back(std::move(plain));
  return artifact;
}

std::vector<uint8_t> test::fakeElf(uint16_t machine) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_machine = machine;
  std::vector<uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

ArtifactT test::makeGpuChain() {
  constexpr uint16_t kCudaMachine = 190;
  constexpr char kPtx[] = ".version 8.0\n.target sm_90a\n";
  ArtifactT artifact = makeSignature();
  artifact.target = "h200";
  auto module = std::make_unique<ModuleT>();
  module->kind = ModuleKind::Cubin;
  module->target = "sm_90a";
  module->data = fakeElf(kCudaMachine);
  module->ptx.assign(kPtx, kPtx + sizeof(kPtx));
  artifact.modules.push_back(std::move(module));

  artifact.plan = makeChainPlan();
  LaunchT &launch = *artifact.plan->launches[0];
  launch.entries = {"chain_kernel"};
  launch.block = 384;
  launch.dynamic_shared_memory = 200 * 1024;
  TensorMapArgT map;
  map.buffer = 0;
  map.element_type = ElementType::F32;
  map.sizes = {uint64_t(kColumns), uint64_t(kRows)};
  map.strides = {kColumns * sizeof(float)};
  map.box = {32, 8};
  map.swizzle = Swizzle::B128;
  launch.arguments.push_back(makeArg(map));
  for (uint32_t i = 1; i != 4; ++i)
    launch.arguments.push_back(makeBufferArg(i));
  launch.arguments.push_back(makeArg(SyncStateArgT()));
  launch.arguments.push_back(makeArg(TaskListArgT()));
  launch.arguments.push_back(makeArg(TaskCountArgT()));

  auto plain = std::make_unique<LaunchT>();
  plain->name = "copy";
  plain->entries = {"copy_kernel"};
  plain->grid = {4, 1, 1};
  plain->parts = {1, 3};
  plain->block = 128;
  plain->arguments.push_back(makeBufferArg(3));
  auto edge = std::make_unique<EdgeT>();
  edge->launch = 0;
  edge->kind = EdgeKind::Programmatic;
  plain->after.push_back(std::move(edge));
  artifact.plan->launches.push_back(std::move(plain));
  return artifact;
}

void test::makePixels(ArtifactT &artifact) {
  TensorMapArgT &map =
      *artifact.plan->launches[0]->arguments[0]->value.AsTensorMapArg();
  // Two images of the rows, with a column each.
  map.sizes = {uint64_t(kColumns), 1, uint64_t(kRows) / 2, 2};
  map.strides = {16, kColumns * sizeof(float),
                 kColumns * sizeof(float) * kRows / 2};
  map.im2col = std::make_unique<Im2colT>();
  map.im2col->lower = {0, -1};
  map.im2col->upper = {0, -1};
  map.im2col->steps = {1, 2};
}

std::vector<uint8_t> test::serialise(const ArtifactT &artifact) {
  flatbuffers::FlatBufferBuilder builder;
  FinishArtifactBuffer(builder, Artifact::Pack(builder, &artifact));
  return wrapArtifact(builder.GetBufferPointer(), builder.GetSize());
}

test::ModulePtr test::load(const ArtifactT &artifact) {
  std::vector<uint8_t> file = serialise(artifact);
  grout_module *module = nullptr;
  EXPECT_EQ(grout_module_load_memory(file.data(), file.size(), &module),
            GROUT_OK)
      << grout_last_error();
  return ModulePtr(module);
}

std::string test::loadError(const ArtifactT &artifact) {
  std::vector<uint8_t> file = serialise(artifact);
  grout_module *module = nullptr;
  grout_status status =
      grout_module_load_memory(file.data(), file.size(), &module);
  ModulePtr owned(module);
  if (status == GROUT_OK)
    return "";
  EXPECT_EQ(status, GROUT_ERROR_INVALID_ARTIFACT);
  EXPECT_EQ(module, nullptr);
  return grout_last_error();
}

grout_session_config test::makeConfig(uint32_t workers) {
  grout_session_config config;
  grout_session_config_init(&config);
  config.workers = workers;
  config.timeout_seconds = 20;
  config.poison_intermediates = 1;
  return config;
}

test::SessionPtr test::createSession(const ModulePtr &module,
                                     const grout_session_config &config) {
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), &config, &session), GROUT_OK)
      << grout_last_error();
  return SessionPtr(session);
}

static float *floats(runtime::AlignedBytes &bytes) {
  return reinterpret_cast<float *>(bytes.data());
}

test::ChainBuffers::ChainBuffers() {
  EXPECT_FALSE(in.allocate(kElements * sizeof(float), "in").isError());
  EXPECT_FALSE(bias.allocate(kColumns * sizeof(float), "bias").isError());
  EXPECT_FALSE(out.allocate(kElements * sizeof(float), "out").isError());
  // Small whole numbers, for which single precision is exact.
  for (uint32_t i = 0; i != kElements; ++i)
    floats(in)[i] = static_cast<float>(i % 1021);
  for (uint32_t i = 0; i != kColumns; ++i)
    floats(bias)[i] = static_cast<float>(i);
}

grout_status test::ChainBuffers::run(const SessionPtr &session) {
  std::memset(out.data(), runtime::kPoisonByte, out.size());
  const void *inputs[] = {in.data(), bias.data()};
  void *outputs[] = {out.data()};
  return grout_session_run(session.get(), inputs, outputs, nullptr);
}

uint32_t test::ChainBuffers::countWrong() const {
  const auto *given = reinterpret_cast<const float *>(in.data());
  const auto *added = reinterpret_cast<const float *>(bias.data());
  const auto *actual = reinterpret_cast<const float *>(out.data());
  uint32_t wrong = 0;
  for (int64_t i = 0; i != kRows; ++i)
    for (int64_t j = 0; j != kColumns; ++j) {
      float expected = 2 * given[i * kColumns + kColumns - 1 - j] + 1 +
                       2 * given[i * kColumns] + 1 + added[j];
      wrong += actual[i * kColumns + j] != expected;
    }
  return wrong;
}
