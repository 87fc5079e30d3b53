//===- RankMemory.cpp - Memory that all ranks reach -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RankMemory.h"
#include "grout/RuntimeSupport/Cuda/DeviceArena.h"

#include <cstring>

using namespace grout;
using namespace grout::run;
using namespace grout::runtime::cuda;
using runtime::AlignedBytes;

namespace {

class CpuRankMemory : public RankMemory {
public:
  CpuRankMemory(uint32_t ranks, int firstGpu) : RankMemory(ranks, firstGpu) {}

private:
  Status allocate(uint64_t bytes) override;

  std::vector<AlignedBytes> pieces;
};

class CudaRankMemory : public RankMemory {
public:
  CudaRankMemory(uint32_t ranks, int firstGpu) : RankMemory(ranks, firstGpu) {}
  ~CudaRankMemory() override;

private:
  struct Gpu {
    DeviceInfo info;
    PrimaryContext context;
    std::unique_ptr<DeviceArena> arena;
  };

  Status allocate(uint64_t bytes) override;
  Status allocateOn(Gpu &gpu, uint64_t bytes);
  Status enableAccess(const Gpu &from, const Gpu &to) const;

  const DriverFunctions *driver = nullptr;
  std::vector<std::unique_ptr<Gpu>> gpus;
};

} // namespace

Status CpuRankMemory::allocate(uint64_t bytes) {
  for (uint32_t rank = 0; rank != ranks; ++rank) {
    AlignedBytes piece;
    GROUT_RETURN_IF_ERROR(piece.allocate(
        bytes, "the symmetric memory of rank " + std::to_string(rank)));
    std::memset(piece.data(), 0, piece.size());
    addresses.push_back(piece.data());
    pieces.push_back(std::move(piece));
  }
  return Status::ok();
}

CudaRankMemory::~CudaRankMemory() {
  for (std::unique_ptr<Gpu> &gpu : gpus) {
    if (!gpu->arena)
      continue;
    ScopedContext current(*driver, gpu->context.get());
    gpu->arena.reset();
  }
}

Status CudaRankMemory::allocate(uint64_t bytes) {
  GROUT_RETURN_IF_ERROR(openDriver(driver));
  for (uint32_t rank = 0; rank != ranks; ++rank) {
    gpus.push_back(std::make_unique<Gpu>());
    GROUT_RETURN_IF_ERROR(findDevice(*driver, firstGpu + static_cast<int>(rank),
                                     gpus.back()->info)
                              .in("rank " + std::to_string(rank)));
    GROUT_RETURN_IF_ERROR(allocateOn(*gpus.back(), bytes));
  }
  for (const std::unique_ptr<Gpu> &from : gpus)
    for (const std::unique_ptr<Gpu> &to : gpus)
      if (from != to)
        GROUT_RETURN_IF_ERROR(enableAccess(*from, *to));
  return Status::ok();
}

Status CudaRankMemory::allocateOn(Gpu &gpu, uint64_t bytes) {
  GROUT_RETURN_IF_ERROR(gpu.context.retain(*driver, gpu.info.device));
  ScopedContext current(*driver, gpu.context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  gpu.arena = std::make_unique<DeviceArena>();
  uint64_t offset = gpu.arena->reserveFilled(bytes, 0);
  GROUT_RETURN_IF_ERROR(gpu.arena->allocate(*driver));
  addresses.push_back(reinterpret_cast<void *>(gpu.arena->address(offset)));
  return Status::ok();
}

Status CudaRankMemory::enableAccess(const Gpu &from, const Gpu &to) const {
  int canAccess = 0;
  GROUT_RETURN_IF_CUDA_ERROR(
      *driver,
      deviceCanAccessPeer(&canAccess, from.info.device, to.info.device),
      "ask whether a GPU can access another one's memory");
  if (!canAccess)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "the ranks of the plan read each other's memory, but "
                         "GPU ",
                         from.info.device, " cannot access the memory of GPU ",
                         to.info.device);
  ScopedContext current(*driver, from.context.get());
  GROUT_RETURN_IF_ERROR(current.status());
  Result result = driver->ctxEnablePeerAccess(to.context.get(), /*flags=*/0);
  if (result == kSuccess || result == kErrorPeerAccessAlreadyEnabled)
    return Status::ok();
  return driverError(*driver, result, "let a GPU access another one's memory");
}

Status RankMemory::create(const OwnedModule &module, grout_plan plan,
                          int firstGpu, std::unique_ptr<RankMemory> &memory) {
  grout_device device;
  uint64_t bytes = 0;
  uint32_t ranks = 0;
  GROUT_RETURN_IF_ERROR(module.findDevice(plan, device));
  GROUT_RETURN_IF_ERROR(module.findSymmetric(plan, bytes, ranks));
  std::unique_ptr<RankMemory> created;
  if (device == GROUT_DEVICE_CUDA)
    created = std::make_unique<CudaRankMemory>(ranks, firstGpu);
  else
    created = std::make_unique<CpuRankMemory>(ranks, firstGpu);
  if (bytes)
    GROUT_RETURN_IF_ERROR(created->allocate(bytes));
  memory = std::move(created);
  return Status::ok();
}

void RankMemory::configure(uint32_t rank, grout_session_config &config) const {
  config.cuda_ordinal = firstGpu + static_cast<int>(rank);
  config.rank = rank;
  config.ranks = ranks;
  config.symmetric = addresses.data();
}
