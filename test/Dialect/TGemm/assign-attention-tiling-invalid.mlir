// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-attention-tiling -split-input-file -verify-diagnostics
// RUN: not grout-opt %s --grout-set-target=name=a100 --tgemm-assign-attention-tiling -split-input-file 2>&1 | FileCheck %s
// RUN: not grout-opt %s --grout-set-target=name=cpu --tgemm-assign-attention-tiling -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

// CHECK: error: 'tgemm.attention' op is attention, but a100 has no kernels for that
// CPU: error: 'tgemm.attention' op cannot be compiled for cpu: its keys are in parts
// CPU: error: 'tgemm.attention' op cannot be compiled for cpu: a tile needs more than 2097152 bytes of local memory; use a smaller tiling

func.func @f32(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x9x16xf32>, %v: tensor<1x2x9x16xf32>) {
  // expected-error @+1 {{cannot be compiled for h200: its queries are neither f16 nor bf16}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf32>, tensor<1x2x9x16xf32>, tensor<1x2x9x16xf32> -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @result(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{its result has another type than its queries}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @size(%q: tensor<1x4x8x20xf16>, %k: tensor<1x2x9x20xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{heads have 20 elements; multiples of 8 up to 256 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x20xf16>, tensor<1x2x9x20xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @wide(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x264xf16>) {
  // expected-error @+1 {{heads have 264 elements}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x264xf16> -> tensor<1x4x8x264xf16>
  return
}

// -----

func.func @long(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x536870912x16xf16>, %v: tensor<1x2x536870912x16xf16>) {
  // expected-error @+1 {{it has an extent of 536870912; less than 2^29 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32} : tensor<1x4x8x16xf16>, tensor<1x2x536870912x16xf16>, tensor<1x2x536870912x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @offset(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x9x16xf16>, %v: tensor<1x2x9x16xf16>) {
  // expected-error @+1 {{queries and keys are more than 2^29 positions apart}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, causal = 1073741824} : tensor<1x4x8x16xf16>, tensor<1x2x9x16xf16>, tensor<1x2x9x16xf16> -> tensor<1x4x8x16xf16>
  return
}

// -----

func.func @m(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{tiles have 256 rows; 64, 128 and 192 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 256, n = 64>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @m2(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{tiles have 32 rows}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 32, n = 64>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @n(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{steps have 40 keys; multiples of 16 up to 256 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 40>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @stages(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{it has more than 8 stages}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 9>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @splits(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{steps are split among 3 blocks; powers of 2 up to 8 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, splits = 3>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @split_rows(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{steps are split, and tiles have more than 64 rows}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 128, n = 64, splits = 2>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @warpgroups(%q: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{steps are split among 4 warpgroups; up to 3 are supported}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 4, warpgroups = 4>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @odd_stages(%q: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{its stages are no multiple of the warpgroups that split steps}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 64, stages = 3, warpgroups = 2>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @parts_in_order(%q: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{its keys are in parts, whose steps are not split among blocks}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 64, tiling = #tgemm.attention_tiling<m = 64, n = 64>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<2x4x128x68xf32>
  return
}

// -----

func.func @part_keys(%q: tensor<1x4x512x64xf16>) {
  // expected-error @+1 {{parts of 192 keys are no multiple of those of one step of each block, 128}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, part_keys = 192, tiling = #tgemm.attention_tiling<m = 64, n = 64, splits = 2>} : tensor<1x4x512x64xf16>, tensor<1x4x512x64xf16>, tensor<1x4x512x64xf16> -> tensor<3x4x512x68xf32>
  return
}

// -----

func.func @shared_rows(%q: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{steps are split, and tiles have more than 64 rows}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 128, n = 64, stages = 2, warpgroups = 2>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @registers(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{a thread needs 168 registers, more than it has; use fewer rows or keys}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 192, n = 128>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @memory(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>) {
  // expected-error @+1 {{a tile needs 270608 bytes of shared memory, and a block has 232448; use fewer keys, or fewer stages}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 64, n = 128, stages = 8>} : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}

// -----

func.func @heads3(%q: tensor<1x3x128x64xf16>, %k: tensor<1x1x128x64xf16>, %v: tensor<1x1x128x64xf16>) {
  // expected-error @+1 {{tiles have 192 rows; 63, 126 and 189 are supported}}
  %0 = tgemm.attention %q, %k, %v {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 192, n = 64, heads = 3>} : tensor<1x3x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16> -> tensor<1x3x128x64xf16>
  return
}

// -----

func.func @heads71(%q: tensor<1x71x8x64xf16>, %k: tensor<1x1x128x64xf16>) {
  // expected-error @+1 {{tiles have rows of 71 heads; up to 64 are supported}}
  %0 = tgemm.attention %q, %k, %k {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 71, n = 64, heads = 71>} : tensor<1x71x8x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16> -> tensor<1x71x8x64xf16>
  return
}

// -----

// More than 2 MiB of sums.
func.func @local(%q: tensor<1x1x10000x64xf16>) {
  // expected-error @+1 {{tiles have 10000 rows}}
  %0 = tgemm.attention %q, %q, %q {scale = 1.0 : f32, tiling = #tgemm.attention_tiling<m = 10000, n = 64>} : tensor<1x1x10000x64xf16>, tensor<1x1x10000x64xf16>, tensor<1x1x10000x64xf16> -> tensor<1x1x10000x64xf16>
  return
}

// -----

#last = affine_map<(b, h, i, d) -> (b, h, i, d)>
#transposed = affine_map<(b, h, i, d) -> (b, h, d, i)>

func.func @transposed(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x64x128xf16>) {
  // expected-error @+1 {{elements of a head are not next to each other in memory}}
  %0 = tgemm.attention %q, %k, %q {scale = 1.0 : f32, layouts = [#last, #transposed, #last, #last]} : tensor<1x4x128x64xf16>, tensor<1x4x64x128xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return
}
