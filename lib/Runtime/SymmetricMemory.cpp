//===- SymmetricMemory.cpp - Memory that all ranks reach ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SymmetricMemory.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

Status SymmetricMemory::get(const Plan &plan,
                            const grout_session_config &config,
                            SymmetricMemory &memory) {
  if (plan.symmetric() == 0)
    return Status::ok();
  if (config.ranks != plan.ranks())
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the plan is for ",
                         plan.ranks(), " ranks, but the session is given ",
                         config.ranks);
  if (config.rank >= config.ranks)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "there is no rank ",
                         config.rank, " of ", config.ranks);
  if (!config.symmetric)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "the plan needs ",
                         plan.symmetric(),
                         " bytes of symmetric memory of each rank, and the "
                         "session is given none");
  memory.rank = config.rank;
  for (uint32_t rank = 0; rank != config.ranks; ++rank) {
    auto address = reinterpret_cast<uintptr_t>(config.symmetric[rank]);
    if (!address || address % GROUT_BUFFER_ALIGNMENT != 0)
      return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                           "the symmetric memory of rank ", rank, " is at ",
                           address, ", which is not a multiple of ",
                           GROUT_BUFFER_ALIGNMENT, " above 0");
    for (uintptr_t other : memory.addresses)
      if (address < other + plan.symmetric() &&
          other < address + plan.symmetric())
        return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                             "the symmetric memory of rank ", rank,
                             " overlaps that of another rank");
    memory.addresses.push_back(address);
  }
  return Status::ok();
}

std::vector<uintptr_t> SymmetricMemory::getPeers(const Launch &launch) const {
  std::vector<uintptr_t> peers;
  if (launch.exchange())
    for (uintptr_t address : addresses)
      peers.push_back(address + launch.exchange()->offset());
  return peers;
}
