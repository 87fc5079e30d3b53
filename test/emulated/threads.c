//===- threads.c - Threads of a GPU as contexts of one thread -------------===//
//
// Part of Grout.
//
// A thread runs until it waits for others, and those that can run do so in an
// order that is random each time.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "threads.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kMaxThreads = 1024, kWarp = 32, kBarriers = 16, kStack = 256 * 1024 };

enum State { Running, AtBarrier, AtShuffle, AtCondition, Done };

struct Thread {
  /// Where it starts, and then where it goes on. A jump is faster than
  /// swapcontext, which calls the system.
  ucontext_t context;
  jmp_buf here;
  bool hasStarted;
  char *stack;
  enum State state;
  /// The barrier, and how many threads it is for.
  uint32_t barrier, count;
  /// The condition, and what it is of.
  bool (*isMet)(const void *, uint32_t);
  const void *at;
  uint32_t number;
  /// What a shuffle exchanges, from which lane, and which shuffle it is.
  uint32_t value, from, shuffle;
};

char failure[200];
static jmp_buf scheduler;
/// The block that runs, its threads, and the one of them that runs.
static const struct Block *block;
static struct Thread *threads;
static uint32_t numThreads, current;
static uint32_t randomState;

void seedRandom(uint32_t seed) { randomState = seed * 2654435761u + 1; }

uint32_t random32(void) {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 17;
  randomState ^= randomState << 5;
  return randomState;
}

void shuffleOrder(uint32_t *order, uint32_t size) {
  for (uint32_t i = size; i > 1; --i) {
    uint32_t j = random32() % i, kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
  }
}

void fail(const char *reason) {
  if (!*failure)
    snprintf(failure, sizeof(failure), "block %u: %s", block->number, reason);
}

/// Goes on when the scheduler says so.
static void waitAs(enum State state) {
  uint32_t self = current;
  threads[self].state = state;
  if (!_setjmp(threads[self].here))
    _longjmp(scheduler, 1);
}

uint32_t emulated_thread(void) { return current; }

uint32_t emulated_block(void) { return block->number; }

uint32_t emulated_blocks(void) { return block->launch->numBlocks; }

// Grids have one dimension.
uint32_t emulated_block_y(void) { return 0; }
uint32_t emulated_block_z(void) { return 0; }
uint32_t emulated_blocks_y(void) { return 1; }

/// All blocks run on one SM.
uint32_t emulated_processor(void) { return 0; }

void pauseThread(void) { waitAs(Running); }

void waitUntil(bool (*isMet)(const void *, uint32_t), const void *at,
               uint32_t number) {
  threads[current].isMet = isMet;
  threads[current].at = at;
  threads[current].number = number;
  waitAs(AtCondition);
}

/// Whether `thread` may run.
static bool isReady(const struct Thread *thread) {
  return thread->state == Running ||
         (thread->state == AtCondition &&
          thread->isMet(thread->at, thread->number));
}

void emulated_barrier_of(uint32_t barrier, uint32_t count) {
  threads[current].barrier = barrier;
  threads[current].count = count;
  waitAs(AtBarrier);
}

void emulated_barrier(uint32_t barrier) {
  emulated_barrier_of(barrier, numThreads);
}

uint32_t getLane(void) { return current % kWarp; }

uint32_t shuffle(uint32_t value, uint32_t from, uint32_t which) {
  uint32_t self = current;
  threads[self].value = value;
  threads[self].from = from;
  threads[self].shuffle = which;
  waitAs(AtShuffle);
  return threads[self].value;
}

static void checkShuffle(uint32_t members, uint32_t lane, uint32_t clamp) {
  if (members != ~0u || lane >= kWarp || clamp != kWarp - 1)
    fail("a shuffle is not of a whole warp, which is not emulated");
}

uint32_t emulated_butterfly(uint32_t members, uint32_t value, uint32_t laneMask,
                            uint32_t clamp) {
  checkShuffle(members, laneMask, clamp);
  return shuffle(value, getLane() ^ (laneMask % kWarp), laneMask);
}

uint32_t emulated_value_of_lane(uint32_t members, uint32_t value, uint32_t lane,
                                uint32_t clamp) {
  checkShuffle(members, lane, clamp);
  return shuffle(value, lane % kWarp, kWarp);
}

float emulated_float_of_lane(uint32_t members, float value, uint32_t lane,
                             uint32_t clamp) {
  uint32_t word;
  memcpy(&word, &value, sizeof(word));
  word = emulated_value_of_lane(members, word, lane, clamp);
  memcpy(&value, &word, sizeof(word));
  return value;
}

void emulated_warp_barrier(uint32_t members) {
  emulated_butterfly(members, 0, 0, kWarp - 1);
}

static void enter(void) {
  block->launch->kernel(block->launch->arguments);
  waitAs(Done);
}

static void start(struct Thread *thread) {
  if (!thread->stack)
    thread->stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  getcontext(&thread->context);
  thread->context.uc_stack.ss_sp = thread->stack;
  thread->context.uc_stack.ss_size = kStack;
  thread->context.uc_link = NULL;
  makecontext(&thread->context, enter, 0);
  thread->state = Running;
  thread->hasStarted = false;
}

/// Whether the threads of this warp were all at a shuffle, which is then done.
static bool exchange(struct Thread *warp, uint32_t size) {
  uint32_t waiting = 0, values[kWarp];
  for (uint32_t lane = 0; lane < size; ++lane)
    waiting += warp[lane].state == AtShuffle;
  if (waiting != kWarp)
    return false;
  for (uint32_t lane = 0; lane < kWarp; ++lane) {
    values[lane] = warp[lane].value;
    if (warp[lane].shuffle != warp->shuffle)
      fail("threads of a warp are at different shuffles");
  }
  if (*failure)
    return false;
  for (uint32_t lane = 0; lane < kWarp; ++lane) {
    warp[lane].value = values[warp[lane].from];
    warp[lane].state = Running;
  }
  return true;
}

/// Whether all threads of this barrier had arrived, which then go on.
static bool release(uint32_t barrier) {
  uint32_t waiting = 0, count = 0;
  for (uint32_t i = 0; i < numThreads; ++i) {
    if (threads[i].state != AtBarrier || threads[i].barrier != barrier)
      continue;
    if (waiting++ && threads[i].count != count)
      fail("threads expect different numbers at a barrier");
    count = threads[i].count;
  }
  if (waiting > count)
    fail("more threads than it is for are at a barrier");
  if (!waiting || waiting != count || *failure)
    return false;
  for (uint32_t i = 0; i < numThreads; ++i)
    if (threads[i].state == AtBarrier && threads[i].barrier == barrier)
      threads[i].state = Running;
  return true;
}

/// Lets a thread run until it waits.
static void resume(struct Thread *thread) {
  thread->state = Running;
  if (_setjmp(scheduler))
    return;
  if (thread->hasStarted)
    _longjmp(thread->here, 1);
  thread->hasStarted = true;
  setcontext(&thread->context);
}

static void enterBlock(const struct Block *next) {
  block = next;
  threads = next->threads;
  numThreads = next->launch->numThreads;
}

void startBlock(struct Block *next, const struct Launch *launch,
                uint32_t number) {
  next->launch = launch;
  next->number = number;
  if (!next->threads)
    next->threads = calloc(kMaxThreads, sizeof(struct Thread));
  enterBlock(next);
  for (uint32_t i = 0; i < numThreads; ++i)
    start(&threads[i]);
}

bool stepBlock(struct Block *next) {
  enterBlock(next);
  uint32_t order[kMaxThreads], live = 0;
  for (uint32_t i = 0; i < numThreads; ++i)
    order[i] = i;
  shuffleOrder(order, numThreads);
  bool progress = false;
  for (uint32_t i = 0; i < numThreads; ++i) {
    current = order[i];
    if (isReady(&threads[current]))
      resume(&threads[current]);
    live += threads[current].state != Done;
    progress |= threads[current].state == Running ||
                threads[current].state == AtCondition;
  }
  if (!live || *failure)
    return false;
  for (uint32_t i = 0; i < numThreads; i += kWarp)
    progress |=
        exchange(&threads[i], numThreads - i < kWarp ? numThreads - i : kWarp);
  for (uint32_t barrier = 0; barrier < kBarriers; ++barrier)
    progress |= release(barrier);
  if (!progress)
    fail("deadlock: threads wait at barriers or shuffles that others do not "
         "reach");
  return !*failure;
}
