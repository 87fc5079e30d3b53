//===- numbers.c - Instructions of PTX on numbers -------------------------===//
//
// Part of Grout.
//
// Instructions that approximate are exact here. LLVM calls the last two where
// the processor has no bf16.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>
#include <string.h>

float emulated_ex2(float x) { return exp2f(x); }
float emulated_lg2(float x) { return log2f(x); }
float emulated_rsqrt(float x) { return 1.0f / sqrtf(x); }
float emulated_sqrt(float x) { return sqrtf(x); }
float emulated_tanh(float x) { return tanhf(x); }
float emulated_div(float x, float y) { return x / y; }
// From 0 to 1, and 0 for NaN.
float emulated_share(float x, float y, float z) {
  return fminf(fmaxf(fmaf(x, y, z), 0), 1);
}

int32_t emulated_high_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return (int32_t)(bits >> 32);
}

int32_t emulated_low_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return (int32_t)bits;
}

double emulated_double_of(int32_t low, int32_t high) {
  uint64_t bits = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
  double result;
  memcpy(&result, &bits, sizeof(result));
  return result;
}

// As cvt.rni.s32.f64, which saturates.
int32_t emulated_nearest_of(double x) {
  if (isnan(x))
    return 0;
  return (int32_t)fmin(fmax(nearbyint(x), INT32_MIN), INT32_MAX);
}

double emulated_add(double x, double y) { return x + y; }
double emulated_mul(double x, double y) { return x * y; }
double emulated_fma(double x, double y, double z) { return fma(x, y, z); }
double emulated_reciprocal(double x) { return 1.0 / x; }

void emulated_nothing(void) {}

__bf16 __truncsfbf2(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  // NaNs stay what they are; the rest rounds to the nearest, of two to the even
  // one.
  bits = isnan(x) ? bits | 1u << 22 : bits + 0x7fff + (bits >> 16 & 1);
  uint16_t high = bits >> 16;
  __bf16 result;
  memcpy(&result, &high, sizeof(result));
  return result;
}

__bf16 __truncdfbf2(double x) { return __truncsfbf2((float)x); }
