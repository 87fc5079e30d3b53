//===- launches.c - A launch on one GPU -----------------------------------===//
//
// Part of Grout.
//
// Runs the blocks of a launch one after another, in a random order.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "threads.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// Why it failed, or an empty text.
const char *emulated_launch(const struct Launch *launch, void *shared,
                            size_t sharedBytes, uint32_t seed) {
  static struct Block block;
  *failure = 0;
  seedRandom(seed);
  uint32_t *order = malloc(launch->numBlocks * sizeof(uint32_t));
  for (uint32_t i = 0; i < launch->numBlocks; ++i)
    order[i] = i;
  shuffleOrder(order, launch->numBlocks);
  for (uint32_t i = 0; i < launch->numBlocks && !*failure; ++i) {
    memset(shared, 0xFF, sharedBytes);
    startBlock(&block, launch, order[i]);
    while (stepBlock(&block))
      continue;
  }
  free(order);
  return failure;
}

/// Bytes 0xFF that end, aligned to `alignment`, at a page that faults, as does
/// the one before them.
void *emulated_allocate(size_t bytes, size_t alignment) {
  size_t page = 4096;
  size_t aligned = (bytes + alignment - 1) / alignment * alignment;
  size_t whole = (aligned + page - 1) / page * page;
  char *pages = mmap(NULL, whole + 2 * page, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + page, whole, PROT_READ | PROT_WRITE);
  memset(pages + page, 0xFF, whole);
  return pages + page + whole - aligned;
}
