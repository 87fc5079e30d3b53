//===- hopper.c - Instructions of Hopper's matrix products ----------------===//
//
// Part of Grout.
//
// Shared memory is at an address that has its 18 lowest bits 0, and fits in 32
// bits. Matrix products and copies are done at once, which is one of the orders
// that a GPU may choose.
//
//===----------------------------------------------------------------------===//

#include "ranks.h"
#include "threads.h"

#include <stddef.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

struct Mbarrier {
  uint16_t count, pending;
  int32_t bytes : 31;
  uint32_t phase : 1;
};

static void endPhase(struct Mbarrier *barrier) {
  noteProgress();
  if (barrier->pending || barrier->bytes)
    return;
  barrier->phase ^= 1;
  barrier->pending = barrier->count;
}

void emulated_mbarrier_init(struct Mbarrier *barrier, uint32_t count) {
  *barrier = (struct Mbarrier){(uint16_t)count, (uint16_t)count, 0, 0};
}

uint64_t emulated_mbarrier_expect(struct Mbarrier *barrier, uint32_t bytes) {
  barrier->bytes += (int32_t)bytes;
  if (!barrier->pending--)
    fail("more threads than it is for arrive at a barrier");
  endPhase(barrier);
  return 0;
}

uint64_t emulated_mbarrier_arrive(struct Mbarrier *barrier) {
  return emulated_mbarrier_expect(barrier, 0);
}

static bool hasEnded(const void *barrier, uint32_t parity) {
  return ((const struct Mbarrier *)barrier)->phase != parity;
}

bool emulated_mbarrier_try_wait(struct Mbarrier *barrier, uint32_t parity) {
  if (hasEnded(barrier, parity))
    return true;
  waitUntil(hasEnded, barrier, parity);
  return false;
}

//===----------------------------------------------------------------------===//
// Copies of tensors
//===----------------------------------------------------------------------===//

/// As ranks.py makes it. The first of two dimensions has elements of 16 bits
/// beside each other; `stride` is in bytes.
struct TensorMap {
  const char *base;
  uint64_t sizes[2], stride, box[2], rowBytes;
};

/// Where the hardware has the byte at `address`, if rows have `rowBytes` bytes:
/// bits 7 to 9 change bits 4 to 6, or as many as the row has.
static char *swizzled(uintptr_t address, uint64_t rowBytes) {
  return (char *)(address ^ ((address >> 7 & (rowBytes / 16 - 1)) << 4));
}

void emulated_load_tensor(char *to, struct Mbarrier *barrier,
                          const struct TensorMap *map, int32_t x, int32_t y) {
  const uint64_t size = sizeof(uint16_t);
  for (uint64_t row = 0; row < map->box[1]; ++row)
    for (uint64_t i = 0; i < map->box[0]; ++i) {
      uint64_t column = (uint64_t)x + i, line = (uint64_t)y + row;
      uint16_t element = 0;
      if (column < map->sizes[0] && line < map->sizes[1])
        memcpy(&element, map->base + line * map->stride + column * size, size);
      uintptr_t address = (uintptr_t)to + row * map->rowBytes + i * size;
      memcpy(swizzled(address, map->rowBytes), &element, size);
    }
  barrier->bytes -= (int32_t)(map->box[0] * map->box[1] * size);
  endPhase(barrier);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

enum { kWarpThreads = 32, kMmaK = 16 };

static float getFloat(uint16_t bits, bool isBf16) {
  if (!isBf16) {
    _Float16 half;
    memcpy(&half, &bits, sizeof(half));
    return (float)half;
  }
  uint32_t wide = (uint32_t)bits << 16;
  float result;
  memcpy(&result, &wide, sizeof(result));
  return result;
}

/// Reads 16 numbers of row `row` of an operand, whose rows are along K.
static void readRow(float *numbers, uint64_t operand, uint32_t row,
                    bool isBf16) {
  uintptr_t start = kSharedAddress + ((operand & 0x3FFF) << 4);
  uint64_t group = (operand >> 32 & 0x3FFF) << 4;
  uint64_t rowBytes = operand >> 62 == 1 ? 128 : 64;
  for (uint32_t k = 0; k < kMmaK; ++k) {
    uint16_t bits;
    uintptr_t address =
        start + row / 8 * group + row % 8 * rowBytes + k * sizeof(bits);
    memcpy(&bits, swizzled(address, rowBytes), sizeof(bits));
    numbers[k] = getFloat(bits, isBf16);
  }
}

/// Adds `steps` products to the `n` / 2 accumulators of this thread, or
/// replaces them if `keeps` is 0.
void emulated_multiply(float *accumulators, uint64_t a, uint64_t b,
                       uint32_t keeps, uint32_t n, uint32_t steps,
                       bool isBf16) {
  uint32_t lane = getLane(), warp = emulated_thread() / kWarpThreads % 4;
  if (!keeps)
    memset(accumulators, 0, n / 2 * sizeof(float));
  for (uint32_t step = 0; step < steps; ++step) {
    float rows[2][kMmaK], column[kMmaK];
    for (uint32_t i = 0; i < 2; ++i)
      readRow(rows[i], a + 2 * step, 16 * warp + 8 * i + lane / 4, isBf16);
    for (uint32_t i = 0; i < n / 2; ++i) {
      readRow(column, b + 2 * step, i / 4 * 8 + lane % 4 * 2 + i % 2, isBf16);
      for (uint32_t k = 0; k < kMmaK; ++k)
        accumulators[i] += rows[i % 4 / 2][k] * column[k];
    }
  }
}

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

/// Stores matrix `number` of an instruction, 8 by 8 elements of 16 bits. Lane
/// 8 * number + r has the address of row r in `address`. Lane 4 * r + c has
/// elements 2 c and 2 c + 1 of row r in `pair`; of column r if it is
/// transposed.
static void storeMatrix(uint32_t address, uint32_t pair, uint32_t number,
                        bool isTransposed) {
  uint32_t lane = getLane(), line = lane / 4, first = lane % 4 * 2;
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t row = isTransposed ? first + i : line;
    uint32_t column = isTransposed ? line : first + i;
    uint32_t to = shuffle(address, 8 * number + row, 100 + 2 * number + i);
    uint16_t element = (uint16_t)(pair >> 16 * i);
    memcpy((char *)(uintptr_t)to + column * sizeof(element), &element,
           sizeof(element));
  }
}

static void storeMatrices(const char *address, const uint32_t *pairs,
                          uint32_t count, bool isTransposed) {
  for (uint32_t i = 0; i < count; ++i)
    storeMatrix((uint32_t)(uintptr_t)address, pairs[i], i, isTransposed);
}

void emulated_stmatrix_x1(char *address, uint32_t a) {
  storeMatrices(address, &a, 1, false);
}

void emulated_stmatrix_x2(char *address, uint32_t a, uint32_t b) {
  storeMatrices(address, (uint32_t[]){a, b}, 2, false);
}

void emulated_stmatrix_x4(char *address, uint32_t a, uint32_t b, uint32_t c,
                          uint32_t d) {
  storeMatrices(address, (uint32_t[]){a, b, c, d}, 4, false);
}

void emulated_stmatrix_x1_trans(char *address, uint32_t a) {
  storeMatrices(address, &a, 1, true);
}

void emulated_stmatrix_x2_trans(char *address, uint32_t a, uint32_t b) {
  storeMatrices(address, (uint32_t[]){a, b}, 2, true);
}

void emulated_stmatrix_x4_trans(char *address, uint32_t a, uint32_t b,
                                uint32_t c, uint32_t d) {
  storeMatrices(address, (uint32_t[]){a, b, c, d}, 4, true);
}

bool emulated_is_elected(uint32_t members) {
  emulated_warp_barrier(members);
  return getLane() == 0;
}
