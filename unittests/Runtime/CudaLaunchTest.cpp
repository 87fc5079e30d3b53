//===- CudaLaunchTest.cpp - What launches ask of the driver ---------------===//
//
// Part of Grout. A driver that is made here takes the place of CUDA's, and
// keeps what it is asked for.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CudaLaunch.h"
#include "Cuda/StreamPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime::cuda;
using grout::runtime::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// The attributes of a launch, by number, with their value: clusters' extent in
/// x, or whether an early start is allowed.
using Attributes = std::vector<std::pair<int, unsigned>>;

std::vector<Attributes> launched;

/// The grid of the last launch.
unsigned launchedBlocks;

/// How many clusters the GPU says it holds, and the grid that it is asked for.
int heldClusters = 66;
unsigned askedBlocks;

Attributes getAttributes(const LaunchConfig *config) {
  Attributes attributes;
  for (unsigned i = 0; i != config->attributeCount; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    attributes.emplace_back(
        attribute.id,
        attribute.id == kLaunchClusterDimension
            ? attribute.value.clusterDim.x
            : attribute.value.programmaticStreamSerializationAllowed);
  }
  return attributes;
}

Result recordLaunch(const LaunchConfig *config, Function, void **, void **) {
  launched.push_back(getAttributes(config));
  launchedBlocks = config->gridX;
  return kSuccess;
}

/// A driver of a GPU that every kernel fits.
DriverFunctions makeDriver() {
  DriverFunctions driver;
  driver.funcGetAttribute = [](int *value, FunctionAttribute attribute,
                               Function) -> Result {
    *value = attribute == kFunctionMaxThreadsPerBlock ? 1024 : 0;
    return kSuccess;
  };
  driver.funcSetAttribute = [](Function, FunctionAttribute, int) -> Result {
    return kSuccess;
  };
  driver.deviceGetAttribute = [](int *value, DeviceAttribute,
                                 Device) -> Result {
    *value = 227 * 1024;
    return kSuccess;
  };
  driver.occupancyMaxActiveBlocksPerMultiprocessor = [](int *blocks, Function,
                                                        int, size_t) -> Result {
    *blocks = 1;
    return kSuccess;
  };
  driver.occupancyMaxActiveClusters = [](int *clusters, Function,
                                         const LaunchConfig *config) -> Result {
    EXPECT_THAT(
        getAttributes(config),
        ElementsAre(std::make_pair(kLaunchClusterDimension, config->gridX)));
    askedBlocks = config->gridX;
    *clusters = heldClusters;
    return kSuccess;
  };
  driver.launchKernelEx = recordLaunch;
  return driver;
}

std::unique_ptr<LaunchT> makeLaunch(uint32_t cluster) {
  auto launch = std::make_unique<LaunchT>();
  launch->name = "kernel";
  launch->entries = {"kernel"};
  launch->grid = {cluster, 1, 1};
  launch->block = 128;
  launch->cluster = cluster;
  return launch;
}

std::unique_ptr<EdgeT> makeEdge(uint32_t launch, EdgeKind kind) {
  auto edge = std::make_unique<EdgeT>();
  edge->launch = launch;
  edge->kind = kind;
  return edge;
}

/// Prepares and enqueues the launches of `plan`, and returns what each asked
/// the driver for.
std::vector<Attributes> run(const PlanT &plan) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Plan::Pack(builder, &plan));
  const auto &packed = *flatbuffers::GetRoot<Plan>(builder.GetBufferPointer());
  DriverFunctions driver = makeDriver();
  DeviceInfo device;
  device.processors = 132;
  StreamPlan streams = planStreams(packed);
  launched.clear();
  for (uint32_t i = 0; i != packed.launches()->size(); ++i) {
    CudaLaunch launch(driver, *packed.launches()->Get(i), {});
    EXPECT_FALSE(launch
                     .prepare(device, nullptr, /*kernelParameters=*/0,
                              streams.steps[i].programmatic)
                     .isError());
    EXPECT_FALSE(launch.enqueue({}, nullptr).isError());
  }
  return launched;
}

/// Two chains in mode pdl, of three kernels and of two.
TEST(CudaLaunch, OnlyProgrammaticEdgesAllowAnEarlyStart) {
  PlanT plan;
  constexpr EdgeKind kPdl = EdgeKind::Programmatic;
  for (EdgeKind kind : {EdgeKind::Full, kPdl, kPdl, EdgeKind::Full, kPdl}) {
    auto launch = makeLaunch(/*cluster=*/1);
    if (!plan.launches.empty())
      launch->after.push_back(
          makeEdge(static_cast<uint32_t>(plan.launches.size() - 1), kind));
    plan.launches.push_back(std::move(launch));
  }
  Attributes early = {{kLaunchProgrammaticStreamSerialization, 1}};
  EXPECT_THAT(run(plan),
              ElementsAre(IsEmpty(), early, early, IsEmpty(), early));
}

TEST(CudaLaunch, ClustersMayStartEarly) {
  PlanT plan;
  plan.launches.push_back(makeLaunch(/*cluster=*/2));
  plan.launches.push_back(makeLaunch(/*cluster=*/2));
  plan.launches[1]->after.push_back(makeEdge(0, EdgeKind::Programmatic));
  EXPECT_THAT(
      run(plan),
      ElementsAre(Attributes{{kLaunchClusterDimension, 2}},
                  Attributes{{kLaunchClusterDimension, 2},
                             {kLaunchProgrammaticStreamSerialization, 1}}));
}

DevicePtr passedState, passedSemaphores;

TEST(CudaLaunch, SemaphoresAreThoseOfTheLaunchThatIsNamed) {
  auto launch = makeLaunch(/*cluster=*/1);
  auto add = [&](auto argument) {
    launch->arguments.push_back(std::make_unique<ArgumentT>());
    launch->arguments.back()->value.Set(std::move(argument));
  };
  add(SyncStateArgT());
  SemaphoresArgT semaphores;
  semaphores.launch = 1;
  add(std::move(semaphores));
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Launch::Pack(builder, launch.get()));
  DriverFunctions driver = makeDriver();
  driver.launchKernelEx = [](const LaunchConfig *, Function, void **parameters,
                             void **) -> Result {
    passedState = *static_cast<DevicePtr *>(parameters[0]);
    passedSemaphores = *static_cast<DevicePtr *>(parameters[1]);
    return kSuccess;
  };
  DeviceInfo device;
  device.processors = 132;
  CudaLaunch prepared(driver,
                      *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer()),
                      {/*syncState=*/0x3000, /*tasks=*/0x3100,
                       /*earlierStates=*/{0x1000, 0x2000}});
  ASSERT_FALSE(prepared
                   .prepare(device, nullptr, /*kernelParameters=*/2,
                            /*programmatic=*/true)
                   .isError());
  ASSERT_FALSE(prepared.enqueue({}, nullptr).isError());
  EXPECT_EQ(passedState, DevicePtr(0x3000));
  EXPECT_EQ(passedSemaphores, DevicePtr(0x2000));
}

/// The sizes of the parameters of the driver's kernel, and how often it was
/// asked for one that is not there, which compute-sanitizer reports.
std::vector<size_t> kernelSizes;
unsigned failedQueries;

Result getParamInfo(Function, size_t index, size_t *offset, size_t *size) {
  constexpr Result kErrorInvalidValue = 1;
  if (index >= kernelSizes.size()) {
    ++failedQueries;
    return kErrorInvalidValue;
  }
  *offset = 0;
  *size = kernelSizes[index];
  return kSuccess;
}

/// Prepares a launch that passes an address and the number of its tasks to a
/// kernel that takes parameters of `sizes`; `known` is how many of them its
/// code tells of.
Status passTwoArguments(std::vector<size_t> sizes, std::optional<size_t> known,
                        bool driverTells = true) {
  auto launch = makeLaunch(/*cluster=*/1);
  launch->grid_kind = GridKind::Persistent;
  launch->tasks.resize(1);
  for (int i = 0; i != 2; ++i)
    launch->arguments.push_back(std::make_unique<ArgumentT>());
  launch->arguments[0]->value.Set(SyncStateArgT());
  launch->arguments[1]->value.Set(TaskCountArgT());
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Launch::Pack(builder, launch.get()));
  kernelSizes = std::move(sizes);
  failedQueries = 0;
  DriverFunctions driver = makeDriver();
  if (driverTells)
    driver.funcGetParamInfo = getParamInfo;
  DeviceInfo device;
  device.processors = 132;
  return CudaLaunch(driver,
                    *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer()),
                    {})
      .prepare(device, nullptr, known, /*programmatic=*/false);
}

TEST(CudaLaunch, NoQueryOfARightKernelFails) {
  EXPECT_FALSE(passTwoArguments({8, 4}, 2).isError());
  EXPECT_EQ(failedQueries, 0u);
}

TEST(CudaLaunch, KernelsOfOtherParametersAreRefused) {
  struct {
    std::vector<size_t> sizes;
    const char *message;
  } cases[] = {{{}, "passes 2 arguments, but its kernel takes 0"},
               {{8}, "passes 2 arguments, but its kernel takes 1"},
               {{8, 8}, "passes 4 bytes as argument 1, but its kernel takes 8"},
               {{8, 4, 8}, "passes 2 arguments, but its kernel takes "}};
  for (const auto &c : cases)
    for (std::optional<size_t> known :
         {std::optional(c.sizes.size()), std::optional<size_t>()}) {
      Status status = passTwoArguments(c.sizes, known);
      ASSERT_TRUE(status.isError()) << c.message;
      EXPECT_THAT(status.message(), HasSubstr(c.message));
    }
}

TEST(CudaLaunch, OldDriversLeaveTheCountToTheCode) {
  EXPECT_FALSE(passTwoArguments({}, 2, /*driverTells=*/false).isError());
  EXPECT_TRUE(passTwoArguments({}, 3, /*driverTells=*/false).isError());
}

/// Prepares a launch of `tasks` tasks for clusters of `cluster` blocks, one
/// block a processor, on a GPU with 132 that says that it holds `held`
/// clusters. Enqueues it if that succeeds.
Status runTasks(uint32_t tasks, uint32_t cluster, int held,
                uint32_t minResidents = 1) {
  auto launch = makeLaunch(cluster);
  launch->grid_kind = GridKind::Persistent;
  launch->tasks.resize(tasks);
  launch->min_residents = minResidents;
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Launch::Pack(builder, launch.get()));
  DriverFunctions driver = makeDriver();
  DeviceInfo device;
  device.processors = 132;
  device.name = "GPU";
  heldClusters = held;
  CudaLaunch prepared(
      driver, *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer()), {});
  Status status = prepared.prepare(device, nullptr, /*kernelParameters=*/0,
                                   /*programmatic=*/false);
  return status.isError() ? status : prepared.enqueue({}, nullptr);
}

TEST(CudaLaunch, ATaskTakesAWholeCluster) {
  ASSERT_FALSE(runTasks(/*tasks=*/5, /*cluster=*/2, /*held=*/60).isError());
  EXPECT_EQ(askedBlocks, 2u);
  EXPECT_EQ(launchedBlocks, 10u);
  ASSERT_FALSE(runTasks(/*tasks=*/1, /*cluster=*/8, /*held=*/15).isError());
  EXPECT_EQ(askedBlocks, 8u);
  EXPECT_EQ(launchedBlocks, 8u);
  ASSERT_FALSE(runTasks(/*tasks=*/5, /*cluster=*/1, /*held=*/0).isError());
  EXPECT_EQ(launchedBlocks, 5u);
}

TEST(CudaLaunch, NoMoreClustersThanTheDeviceHolds) {
  ASSERT_FALSE(runTasks(/*tasks=*/1000, /*cluster=*/2, /*held=*/60).isError());
  EXPECT_EQ(launchedBlocks, 120u);
  ASSERT_FALSE(runTasks(/*tasks=*/60, /*cluster=*/2, /*held=*/60).isError());
  EXPECT_EQ(launchedBlocks, 120u);
  // It may hold more than the kernel was built for: 132 blocks are 33 clusters
  // of 4, and 16 of 8.
  ASSERT_FALSE(runTasks(/*tasks=*/1000, /*cluster=*/4, /*held=*/66).isError());
  EXPECT_EQ(launchedBlocks, 132u);
  ASSERT_FALSE(runTasks(/*tasks=*/1000, /*cluster=*/8, /*held=*/66).isError());
  EXPECT_EQ(launchedBlocks, 128u);
}

TEST(CudaLaunch, ResidentTilesAreClusters) {
  EXPECT_FALSE(runTasks(/*tasks=*/1000, /*cluster=*/2, /*held=*/60,
                        /*minResidents=*/60)
                   .isError());
  Status status = runTasks(/*tasks=*/1000, /*cluster=*/2, /*held=*/60,
                           /*minResidents=*/61);
  ASSERT_TRUE(status.isError());
  EXPECT_THAT(status.message(), HasSubstr("needs 61 resident tiles"));
  EXPECT_THAT(status.message(), HasSubstr("GPU holds 60"));
}

TEST(CudaLaunch, ADeviceWithoutRoomForAClusterIsRefused) {
  Status status = runTasks(/*tasks=*/5, /*cluster=*/8, /*held=*/0);
  ASSERT_TRUE(status.isError());
  EXPECT_THAT(status.message(), HasSubstr("cannot hold a single block"));
}

} // namespace
