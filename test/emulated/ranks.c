//===- ranks.c - Launches on several GPUs at once -------------------------===//
//
// Part of Grout.
//
// All ranks run their launches in turns, a step of some blocks at a time. Now
// and then a rank sleeps, while others run ahead of it.
//
// A word that `st.relaxed.sys` stores arrives later, before or after others,
// but at the latest when the launch ends. `ld.relaxed.sys` loads the words of a
// vector in any order, and other threads may run in between.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "ranks.h"
#include "threads.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  kMaxRanks = 8,
  /// Blocks of a rank that run at once.
  kMaxBlocks = 4,
  /// Words of a rank that have not arrived.
  kMaxWords = 64,
  kVectorWords = 4,
  kMaxSleep = 20,
  /// Rounds after which a rank that is waited for would have come.
  kMaxIdle = 1000
};

struct Word {
  uint32_t *address, value;
};

struct Rank {
  uint32_t number, asleep;
  /// The launch that runs, how many of its blocks have started, and how many of
  /// them run.
  uint32_t launch, started, running;
  struct Block blocks[kMaxBlocks];
  struct Word words[kMaxWords];
  uint32_t numWords;
};

static struct Rank ranks[kMaxRanks];
/// The rank that runs.
static struct Rank *self;
/// Rounds in which nothing has arrived.
static uint32_t idle;

void noteProgress(void) { idle = 0; }

/// Whether it is so once in `times`.
static bool isOnceIn(uint32_t times) { return random32() % times == 0; }

/// Nanoseconds: each look at the clock takes a microsecond.
uint64_t emulated_time(void) {
  static uint64_t time;
  noteProgress();
  return time += 1000;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static void deliverOne(void) {
  struct Word *word = &self->words[random32() % self->numWords];
  if (!word->value)
    fail("a word that is 0 is sent");
  if (*word->address)
    fail("a word is stored where another has not been read");
  *word->address = word->value;
  *word = self->words[--self->numWords];
  noteProgress();
}

static void deliver(uint32_t count) {
  while (self->numWords && count--)
    deliverOne();
}

/// Sends a word. Readers clear words by stores of their own.
static void store(uint32_t *address, uint32_t value) {
  if (self->numWords == kMaxWords)
    deliverOne();
  self->words[self->numWords++] = (struct Word){address, value};
  if (isOnceIn(32))
    pauseThread();
}

void emulated_store(uint32_t *address, uint32_t value) {
  store(address, value);
}

void emulated_store_vector(uint32_t *address, uint32_t a, uint32_t b,
                           uint32_t c, uint32_t d) {
  uint32_t words[kVectorWords] = {a, b, c, d};
  for (uint32_t i = 0; i < kVectorWords; ++i)
    store(address + i, words[i]);
}

/// Loads words, and lets others run if one of them is missing.
static void load(const uint32_t *address, uint32_t *words, uint32_t count) {
  uint32_t order[kVectorWords] = {0, 1, 2, 3};
  shuffleOrder(order, count);
  bool isMissing = false;
  for (uint32_t i = 0; i < count; ++i) {
    if (isOnceIn(32))
      pauseThread();
    words[order[i]] = address[order[i]];
    isMissing |= !words[order[i]];
  }
  if (isMissing)
    pauseThread();
}

uint32_t emulated_load(const uint32_t *address) {
  uint32_t word;
  load(address, &word, 1);
  return word;
}

/// The vector that was loaded last.
uint32_t emulated_vector[kVectorWords];

void emulated_load_vector(const uint32_t *address) {
  uint32_t words[kVectorWords];
  load(address, words, kVectorWords);
  memcpy(emulated_vector, words, sizeof(words));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A file that has the shared memory of each slot.
static int sharedFile;

/// Moves the shared memory of `block` to the address that kernels know.
static void enterShared(const struct Block *block) {
  if (block->launch->sharedBytes)
    mmap((void *)kSharedAddress, kSharedBytes, PROT_READ | PROT_WRITE,
         MAP_SHARED | MAP_FIXED | MAP_POPULATE, sharedFile,
         (off_t)block->slot * kSharedBytes);
}

static void startNext(const struct Launch *launch) {
  struct Block *block = &self->blocks[self->running++];
  startBlock(block, launch, self->started++);
  enterShared(block);
  memset((void *)kSharedAddress, 0xFF, launch->sharedBytes);
}

/// Whether all blocks of `launch` have ended.
static bool stepLaunch(const struct Launch *launch) {
  while (self->running < kMaxBlocks && self->started < launch->numBlocks)
    startNext(launch);
  for (uint32_t i = self->running; i-- > 0;) {
    enterShared(&self->blocks[i]);
    if (stepBlock(&self->blocks[i]))
      continue;
    struct Block ended = self->blocks[i];
    self->blocks[i] = self->blocks[--self->running];
    self->blocks[self->running] = ended;
    noteProgress();
  }
  return !self->running && self->started == launch->numBlocks;
}

/// Lets `self` run. It has `count` launches. `ended` is called after each of
/// them, and returns whether something is wrong.
static void stepRank(const struct Launch *launches, uint32_t count,
                     int (*ended)(uint32_t rank, uint32_t launch)) {
  if (self->launch == count)
    return;
  if (self->asleep) {
    --self->asleep;
    return;
  }
  if (isOnceIn(8))
    self->asleep = random32() % kMaxSleep;
  bool isOver = stepLaunch(&launches[self->launch]);
  deliver(isOver ? kMaxWords : random32() % kMaxWords);
  if (!isOver || *failure)
    return;
  self->started = 0;
  if (ended(self->number, self->launch++))
    fail("the launch has ended wrongly");
}

/// Runs `count` launches on each rank but `absent`, one after another; those of
/// rank 0 come first in `launches`. Returns why it failed, or an empty text. It
/// may be called once.
const char *emulated_ranks(const struct Launch *launches, uint32_t numRanks,
                           uint32_t absent, uint32_t count, uint32_t seed,
                           int (*ended)(uint32_t rank, uint32_t launch)) {
  seedRandom(seed);
  sharedFile = memfd_create("shared", 0);
  ftruncate(sharedFile, (off_t)numRanks * kMaxBlocks * kSharedBytes);
  uint32_t order[kMaxRanks];
  for (uint32_t i = 0; i < numRanks; ++i) {
    ranks[i].number = order[i] = i;
    ranks[i].launch = i == absent ? count : 0;
    for (uint32_t slot = 0; slot < kMaxBlocks; ++slot)
      ranks[i].blocks[slot].slot = i * kMaxBlocks + slot;
  }
  for (bool isOver = false; !isOver && !*failure;) {
    shuffleOrder(order, numRanks);
    isOver = true;
    for (uint32_t i = 0; i < numRanks && !*failure; ++i) {
      self = &ranks[order[i]];
      stepRank(launches + order[i] * count, count, ended);
      isOver &= self->launch == count;
    }
    if (++idle > kMaxIdle)
      fail("deadlock: ranks wait for words that nobody stores");
  }
  return failure;
}
