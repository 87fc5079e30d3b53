//===- CudaLaunchTest.cpp - What launches ask of the driver ---------------===//
//
// Part of Grout. A driver that is made here takes the place of CUDA's, and
// keeps what it is asked for.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CudaLaunch.h"
#include "Cuda/ProgrammaticEdges.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime::cuda;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The attributes of a launch, by number, with their value: clusters' extent in
/// x, or whether an early start is allowed.
using Attributes = std::vector<std::pair<int, unsigned>>;

std::vector<Attributes> launched;

Result recordLaunch(const LaunchConfig *config, Function, void **, void **) {
  Attributes attributes;
  for (unsigned i = 0; i != config->attributeCount; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    attributes.emplace_back(
        attribute.id,
        attribute.id == kLaunchClusterDimension
            ? attribute.value.clusterDim.x
            : attribute.value.programmaticStreamSerializationAllowed);
  }
  launched.push_back(attributes);
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
                                         const LaunchConfig *) -> Result {
    *clusters = 66;
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
  std::vector<bool> programmatic = chooseProgrammaticLaunches(packed);
  launched.clear();
  for (uint32_t i = 0; i != packed.launches()->size(); ++i) {
    CudaLaunch launch(driver, *packed.launches()->Get(i), {});
    EXPECT_FALSE(launch.prepare(device, nullptr, programmatic[i]).isError());
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

} // namespace
