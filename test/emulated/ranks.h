//===- ranks.h - Launches on several GPUs at once ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TEST_EMULATED_RANKS_H
#define GROUT_TEST_EMULATED_RANKS_H

#include <stdint.h>

/// Where the block that runs has its shared memory; as in kernels.py.
static const uintptr_t kSharedAddress = 1u << 28;
enum { kSharedBytes = 228 * 1024 };

#pragma GCC visibility push(hidden)

/// Says that a wait may have ended: the ranks are in no deadlock.
void noteProgress(void);

#pragma GCC visibility pop

#endif // GROUT_TEST_EMULATED_RANKS_H
