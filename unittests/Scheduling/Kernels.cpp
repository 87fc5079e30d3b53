//===- Kernels.cpp - Problems of known programs ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

namespace grout::test {

std::vector<NamedText> getKernels() {
  return {
      {"gemm", R"(
        statement { S0[i, j] : 0 <= i < 200 and 0 <= j < 220 }
        statement { S1[i, j, k] : 0 <= i < 200 and 0 <= j < 220 and 0 <= k < 240 }
        flow init { S0[i, j] -> S1[i, j, k = 0] }
        flow sum { S1[i, j, k] -> S1[i, j, k + 1] }
      )"},
      {"2mm", R"(
        statement { S0[i, j] : 0 <= i < 180 and 0 <= j < 190 }
        statement { S1[i, j, k] : 0 <= i < 180 and 0 <= j < 190 and 0 <= k < 210 }
        statement { S2[i, j] : 0 <= i < 180 and 0 <= j < 220 }
        statement { S3[i, j, k] : 0 <= i < 180 and 0 <= j < 220 and 0 <= k < 190 }
        flow init1 { S0[i, j] -> S1[i, j, k = 0] }
        flow sum1 { S1[i, j, k] -> S1[i, j, k + 1] }
        flow init2 { S2[i, j] -> S3[i, j, k = 0] }
        flow sum2 { S3[i, j, k] -> S3[i, j, k + 1] }
        flow product { S1[i, j, k = 209] -> S3[i, j', k' = j] }
      )"},
      {"atax", R"(
        statement { S0[i] : 0 <= i < 124 }
        statement { S1[i] : 0 <= i < 116 }
        statement { S2[i, j] : 0 <= i < 116 and 0 <= j < 124 }
        statement { S3[i, j] : 0 <= i < 116 and 0 <= j < 124 }
        flow init1 { S1[i] -> S2[i, j = 0] }
        flow sum1 { S2[i, j] -> S2[i, j + 1] }
        flow init2 { S0[j] -> S3[i = 0, j] }
        flow product { S2[i, j = 123] -> S3[i, j'] }
        flow sum2 { S3[i, j] -> S3[i + 1, j] }
      )"},
      {"jacobi-1d", R"(
        statement { S0[t, i] : 0 <= t < 40 and 1 <= i < 119 }
        statement { S1[t, i] : 0 <= t < 40 and 1 <= i < 119 }
        flow a { S0[t, i] -> S1[t, i'] : i - 1 <= i' <= i + 1 }
        flow b { S1[t, i] -> S0[t + 1, i'] : i - 1 <= i' <= i + 1 }
        anti c { S0[t, i] -> S1[t, i'] : i - 1 <= i' <= i + 1 }
        anti d { S1[t, i] -> S0[t + 1, i'] : i - 1 <= i' <= i + 1 }
        output e { S0[t, i] -> S0[t + 1, i] }
        output f { S1[t, i] -> S1[t + 1, i] }
      )"},
      {"jacobi-2d", R"(
        statement { S0[t, i, j] : 0 <= t < 40 and 1 <= i < 89 and 1 <= j < 89 }
        statement { S1[t, i, j] : 0 <= t < 40 and 1 <= i < 89 and 1 <= j < 89 }
        flow a { S0[t, i, j] -> S1[t, i', j] : i - 1 <= i' <= i + 1 }
        flow a2 { S0[t, i, j] -> S1[t, i, j'] : j - 1 <= j' <= j + 1 }
        flow b { S1[t, i, j] -> S0[t + 1, i', j] : i - 1 <= i' <= i + 1 }
        flow b2 { S1[t, i, j] -> S0[t + 1, i, j'] : j - 1 <= j' <= j + 1 }
        output e { S0[t, i, j] -> S0[t + 1, i, j] }
        output f { S1[t, i, j] -> S1[t + 1, i, j] }
      )"},
      {"seidel-2d", R"(
        statement { S[t, i, j] : 0 <= t < 40 and 1 <= i < 119 and 1 <= j < 119 }
        flow a { S[t, i, j] -> S[t, i + 1, j'] : j - 1 <= j' <= j + 1 }
        flow b { S[t, i, j] -> S[t, i, j + 1] }
        flow c { S[t, i, j] -> S[t + 1, i', j'] : i - 1 <= i' <= i and j - 1 <= j' <= j + 1 }
      )"},
      {"lu", R"(
        statement { S0[k, i] : 0 <= k < 120 and k < i < 120 }
        statement { S1[k, i, j] : 0 <= k < 120 and k < i < 120 and k < j < 120 }
        flow a { S0[k, i] -> S1[k, i, j] }
        flow b { S1[k, i, j] -> S1[k + 1, i, j] }
        flow c { S1[k, i, j] -> S0[k + 1, i] : j = k + 1 }
        flow d { S1[k, i, j] -> S1[k + 1, i', j] : i = k + 1 }
        flow e { S1[k, i, j] -> S0[k + 1, i'] : i = k + 1 and j = k + 1 }
      )"},
      {"softmax", R"(
        statement { M0[r] : 0 <= r < 320 }
        statement { M[r, c] : 0 <= r < 320 and 0 <= c < 21128 }
        statement { E[r, c] : 0 <= r < 320 and 0 <= c < 21128 }
        statement { T0[r] : 0 <= r < 320 }
        statement { T[r, c] : 0 <= r < 320 and 0 <= c < 21128 }
        statement { D[r, c] : 0 <= r < 320 and 0 <= c < 21128 }
        flow m0 { M0[r] -> M[r, c] }
        flow reduction max { M[r, c] -> M[r, c'] : c' > c }
        flow m { M[r, c] -> E[r, c'] }
        flow t0 { T0[r] -> T[r, c] }
        flow e { E[r, c] -> T[r, c] }
        flow reduction sum { T[r, c] -> T[r, c'] : c' > c }
        flow t { T[r, c] -> D[r, c'] }
        flow e2 { E[r, c] -> D[r, c] }
      )"},
      {"layer norm", R"(
        statement { A0[r] : 0 <= r < 4096 }
        statement { A[r, c] : 0 <= r < 4096 and 0 <= c < 768 }
        statement { M[r] : 0 <= r < 4096 }
        statement { V0[r] : 0 <= r < 4096 }
        statement { V[r, c] : 0 <= r < 4096 and 0 <= c < 768 }
        statement { R[r] : 0 <= r < 4096 }
        statement { N[r, c] : 0 <= r < 4096 and 0 <= c < 768 }
        flow a0 { A0[r] -> A[r, c] }
        flow reduction mean { A[r, c] -> A[r, c'] : c' > c }
        flow a { A[r, c] -> M[r] }
        flow v0 { V0[r] -> V[r, c] }
        flow m { M[r] -> V[r, c] }
        flow reduction variance { V[r, c] -> V[r, c'] : c' > c }
        flow v { V[r, c] -> R[r] }
        flow m2 { M[r] -> N[r, c] }
        flow r { R[r] -> N[r, c] }
      )"},
      {"transposed add", R"(
        statement { S0[i, j, k, l] : 0 <= i < 32 and 0 <= j < 12 and 0 <= k < 128 and 0 <= l < 64 }
        statement { S1[i, j, k, l] : 0 <= i < 32 and 0 <= j < 128 and 0 <= k < 12 and 0 <= l < 64 }
        statement { S2[i, j, k, l] : 0 <= i < 32 and 0 <= j < 128 and 0 <= k < 12 and 0 <= l < 64 }
        flow a { S0[i, j, k, l] -> S1[i, k, j, l] }
        flow b { S1[i, j, k, l] -> S2[i, j, k, l] }
      )"},
  };
}

} // namespace grout::test
