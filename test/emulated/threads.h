//===- threads.h - Threads of a GPU as contexts of one thread ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TEST_EMULATED_THREADS_H
#define GROUT_TEST_EMULATED_THREADS_H

#include <stdbool.h>
#include <stdint.h>

uint32_t emulated_thread(void);
void emulated_warp_barrier(uint32_t members);

#pragma GCC visibility push(hidden)

/// What several blocks run. `kernel` takes an array of pointers. `sharedBytes`
/// is the dynamic shared memory of a block.
struct Launch {
  void (*kernel)(void **);
  void **arguments;
  uint32_t numBlocks, numThreads, sharedBytes;
};

/// A block of a launch, with memory for its threads, which later blocks may
/// use again. It starts as zeros. `slot` is free for others.
struct Block {
  const struct Launch *launch;
  uint32_t number, slot;
  struct Thread *threads;
};

/// Makes `block` the block `number` of `launch`.
void startBlock(struct Block *block, const struct Launch *launch,
                uint32_t number);

/// Lets each thread of `block` run until it waits for others, in a random
/// order. Returns whether some thread is not done.
bool stepBlock(struct Block *block);

/// Lets the thread that calls it go on in the next step of its block.
void pauseThread(void);
/// Lets it go on when `isMet` holds of `at` and `number`, which others bring
/// about: other blocks, too.
void waitUntil(bool (*isMet)(const void *, uint32_t), const void *at,
               uint32_t number);

/// The number of the thread that calls it in its warp.
uint32_t getLane(void);
/// Returns the value of lane `from`. All threads of a warp call it with the
/// same `which`.
uint32_t shuffle(uint32_t value, uint32_t from, uint32_t which);

/// Why the emulation failed; an empty text if it did not.
extern char failure[200];
void fail(const char *reason);

void seedRandom(uint32_t seed);
uint32_t random32(void);
/// Puts the `size` numbers of `order` in a random order.
void shuffleOrder(uint32_t *order, uint32_t size);

#pragma GCC visibility pop

#endif // GROUT_TEST_EMULATED_THREADS_H
