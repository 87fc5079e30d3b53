//===- threads.h - Threads of a GPU as contexts of one thread ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TEST_EMULATED_THREADS_H
#define GROUT_TEST_EMULATED_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// What several blocks run. `kernel` takes an array of pointers.
struct Launch {
  void (*kernel)(void **);
  void **arguments;
  uint32_t numBlocks, numThreads;
};

/// A block of a launch, with memory for its threads, which later blocks may
/// use again. It starts as zeros.
struct Block {
  const struct Launch *launch;
  uint32_t number;
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

/// Why the emulation failed; an empty text if it did not.
extern char failure[200];
void fail(const char *reason);

void seedRandom(uint32_t seed);
uint32_t random32(void);
/// Puts the `size` numbers of `order` in a random order.
void shuffleOrder(uint32_t *order, uint32_t size);

#pragma GCC visibility pop

#endif // GROUT_TEST_EMULATED_THREADS_H
