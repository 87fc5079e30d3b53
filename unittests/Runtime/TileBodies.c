/* Tile bodies of the tests' chain, written as a compiler would write them: two
 * tile kernels over a 32 x 64 matrix in tiles of 8 x 16, synchronised by row
 * block. The second reads whole rows of what the first wrote. Macros make the
 * faults that the runtime must notice. */

#include "grout-c/TileABI.h"

enum { ROWS = 32, COLUMNS = 64, TILE_ROWS = 8, TILE_COLUMNS = 16 };
enum { TILES_IN_ROW = COLUMNS / TILE_COLUMNS };

/* What the chain computes with, and what its reference does. */
#if defined(INTEGERS)
typedef int32_t number;
typedef int32_t exact_number;
#else
typedef float number;
typedef double exact_number;
#endif

void scale(const grout_tile_context *context, uint32_t x, uint32_t y,
           uint32_t z) {
  const number *in = context->buffers[0];
  number *hidden = context->buffers[1];
  (void)z;
  for (uint32_t i = x * TILE_ROWS; i != (x + 1) * TILE_ROWS; ++i)
    for (uint32_t j = y * TILE_COLUMNS; j != (y + 1) * TILE_COLUMNS; ++j)
      hidden[i * COLUMNS + j] = 2 * in[i * COLUMNS + j] + 1;
#if defined(FAULT_MISSING_POST)
  if (x == 2 && y == 1)
    return;
#endif
#if defined(FAULT_BAD_POST)
  context->post(context, 1000);
#endif
  context->post(context, x);
#if defined(FAULT_EXTRA_POST)
  if (x == 3 && y == TILES_IN_ROW - 1)
    context->post(context, x);
#endif
}

void mirror(const grout_tile_context *context, uint32_t x, uint32_t y,
            uint32_t z) {
  const number *hidden = context->buffers[1];
  const number *bias = context->buffers[2];
  number *out = context->buffers[3];
  (void)z;
#if defined(FAULT_BAD_WAIT)
  context->wait(context, 1000, 1);
#endif
#if defined(FAULT_TWO_COUNTS)
  context->wait(context, x, y == 0 ? TILES_IN_ROW - 1 : TILES_IN_ROW);
#elif !defined(FAULT_MISSING_WAIT)
  context->wait(context, x, TILES_IN_ROW);
#endif
  for (uint32_t i = x * TILE_ROWS; i != (x + 1) * TILE_ROWS; ++i)
    for (uint32_t j = y * TILE_COLUMNS; j != (y + 1) * TILE_COLUMNS; ++j)
      out[i * COLUMNS + j] =
          hidden[i * COLUMNS + COLUMNS - 1 - j] + hidden[i * COLUMNS] + bias[j];
#if defined(FAULT_NAN)
  if (y == 0)
    out[x * TILE_ROWS * COLUMNS] = 0.0f / 0.0f;
#endif
#if defined(FAULT_OFF_BY_ONE)
  if (x == 1 && y == 1)
    ++out[x * TILE_ROWS * COLUMNS + y * TILE_COLUMNS];
#endif
#if defined(FAULT_OVERRUN)
  if (x == ROWS / TILE_ROWS - 1 && y == 0)
    out[ROWS * COLUMNS] = 1;
#endif
#if defined(FAULT_IRREPRODUCIBLE)
  static float runs;
  if (x == 0 && y == 0)
    out[0] += runs++;
#endif
}

/* The whole function in one tile, with floats in double precision. */
void reference(const grout_tile_context *context, uint32_t x, uint32_t y,
               uint32_t z) {
  const exact_number *in = context->buffers[0];
  const exact_number *bias = context->buffers[1];
  exact_number *out = context->buffers[2];
  (void)x, (void)y, (void)z;
  for (uint32_t i = 0; i != ROWS; ++i)
    for (uint32_t j = 0; j != COLUMNS; ++j)
      out[i * COLUMNS + j] = 2 * in[i * COLUMNS + COLUMNS - 1 - j] + 1 +
                             2 * in[i * COLUMNS] + 1 + bias[j];
}

#if defined(MARK_LOADING)
int setenv(const char *name, const char *value, int overwrite);
/* Leaves a trace when the object is loaded, even before it is run. */
__attribute__((constructor)) static void markLoading(void) {
  setenv("GROUT_TEST_WAS_LOADED", "1", 1);
}
#endif

/* Adds up what three ranks have. */
void add_ranks(const grout_tile_context *context, uint32_t x, uint32_t y,
               uint32_t z) {
  number *out = context->buffers[3];
  void *const *given = context->exchange(context, context->buffers[0],
                                         ROWS * COLUMNS * sizeof(number));
  (void)x;
  (void)y;
  (void)z;
  for (uint32_t i = 0; i != ROWS * COLUMNS; ++i) {
    number sum = 0;
    for (uint32_t rank = 0; rank != 3; ++rank)
      sum += ((const number *)given[rank])[i];
    out[i] = sum;
  }
}

/* Writes the number of the rank everywhere. */
void tell_rank(const grout_tile_context *context, uint32_t x, uint32_t y,
               uint32_t z) {
  number *out = context->buffers[3];
  (void)x;
  (void)y;
  (void)z;
  for (uint32_t i = 0; i != ROWS * COLUMNS; ++i)
    out[i] = (number)context->rank;
}
