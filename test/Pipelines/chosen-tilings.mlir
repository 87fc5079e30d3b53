// DEFINE: %{rows} = 1
// DEFINE: %{mode} = persistent
// DEFINE: %{compile} = sed 's/ROWS/%{rows}/g' %s | grout-opt -split-input-file --grout-pipeline="target=h200 mode=%{mode} reference=false" -o /dev/null
// DEFINE: %{dump} = %{compile} --dump-ptx 2>&1
// DEFINE: %{assemble} = %{compile} --dump-ptx="assemble=true strict=true ptxas=%ptxas" 2>&1
// DEFINE: %{check} = FileCheck %s --implicit-check-not="{{error|warning|[1-9][0-9]* bytes}}"

// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=PERSISTENT
// REDEFINE: %{rows} = 64
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=PERSISTENT
// REDEFINE: %{rows} = 256
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=PERSISTENT
// REDEFINE: %{rows} = 1000
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=PERSISTENT
// REDEFINE: %{rows} = 3072
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=PERSISTENT

// REDEFINE: %{mode} = serial
// REDEFINE: %{rows} = 1
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=SERIAL
// REDEFINE: %{rows} = 64
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=SERIAL
// REDEFINE: %{rows} = 256
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=SERIAL
// REDEFINE: %{rows} = 1000
// RUN: %if ptxas %{ %{assemble} %} %else %{ %{dump} %} | %{check} --check-prefix=SERIAL

// Whatever tilings the model chooses, for the MLPs of GPT-3 and LLaMA on 8 GPUs,
// Llama 3 and GPT-2, kernels can be made of them, one by one and together, and
// ptxas, where there is one, finds registers for all. Only the names of kernels
// in the output are checked, be it PTX or the assembler's report.

func.func @gpt3(%x: tensor<ROWSx12288xf16>, %w1: tensor<12288x6144xf16>,
                %w2: tensor<6144x12288xf16>) -> tensor<ROWSx12288xf16> {
  %h = tgemm.matmul %x, %w1
    : tensor<ROWSx12288xf16>, tensor<12288x6144xf16> -> tensor<ROWSx6144xf16> {
  ^bb0(%a: f32):
    %t = math.tanh %a : f32
    %o = arith.truncf %t : f32 to f16
    tgemm.yield %o : f16
  }
  %y = tgemm.matmul %h, %w2
    : tensor<ROWSx6144xf16>, tensor<6144x12288xf16> -> tensor<ROWSx12288xf16>
  return %y : tensor<ROWSx12288xf16>
}

// PERSISTENT: gpt3_chain0{{[(:]}}
// SERIAL-DAG: gpt3_chain0_kernel0{{[(:]}}
// SERIAL-DAG: gpt3_chain0_kernel1{{[(:]}}

// -----

func.func @llama(%x: tensor<ROWSx8192xf16>, %wg: tensor<8192x2816xf16>,
                 %wu: tensor<8192x2816xf16>, %w2: tensor<2816x8192xf16>)
    -> tensor<ROWSx8192xf16> {
  %h = tgemm.matmul %x, %wg, %wu
    : tensor<ROWSx8192xf16>, tensor<8192x2816xf16>, tensor<8192x2816xf16>
      -> tensor<ROWSx2816xf16> {
  ^bb0(%g: f32, %u: f32):
    %t = math.tanh %g : f32
    %p = arith.mulf %t, %u : f32
    %o = arith.truncf %p : f32 to f16
    tgemm.yield %o : f16
  }
  %y = tgemm.matmul %h, %w2
    : tensor<ROWSx2816xf16>, tensor<2816x8192xf16> -> tensor<ROWSx8192xf16>
  return %y : tensor<ROWSx8192xf16>
}

// PERSISTENT: llama_chain0{{[(:]}}
// SERIAL-DAG: llama_chain0_kernel0{{[(:]}}
// SERIAL-DAG: llama_chain0_kernel1{{[(:]}}

// -----

func.func @llama3(%x: tensor<ROWSx4096xbf16>, %wg: tensor<14336x4096xbf16>,
                  %wu: tensor<14336x4096xbf16>, %w2: tensor<4096x14336xbf16>)
    -> tensor<ROWSx4096xbf16> {
  %h = tgemm.matmul %x, %wg, %wu {transpose_rhs}
    : tensor<ROWSx4096xbf16>, tensor<14336x4096xbf16>, tensor<14336x4096xbf16>
      -> tensor<ROWSx14336xbf16> {
  ^bb0(%g: f32, %u: f32):
    %t = math.tanh %g : f32
    %p = arith.mulf %t, %u : f32
    %o = arith.truncf %p : f32 to bf16
    tgemm.yield %o : bf16
  }
  %y = tgemm.matmul %h, %w2 {transpose_rhs}
    : tensor<ROWSx14336xbf16>, tensor<4096x14336xbf16> -> tensor<ROWSx4096xbf16>
  return %y : tensor<ROWSx4096xbf16>
}

// PERSISTENT: llama3_chain0{{[(:]}}
// SERIAL-DAG: llama3_chain0_kernel0{{[(:]}}
// SERIAL-DAG: llama3_chain0_kernel1{{[(:]}}

// -----

func.func @gpt2(%x: tensor<ROWSx768xf16>, %w1: tensor<768x3072xf16>,
                %b1: tensor<3072xf16>, %w2: tensor<3072x768xf16>)
    -> tensor<ROWSx768xf16> {
  %h = tgemm.matmul %x, %w1 epilogue(%b1 : tensor<3072xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (n)>]
  } : tensor<ROWSx768xf16>, tensor<768x3072xf16> -> tensor<ROWSx3072xf16> {
  ^bb0(%a: f32, %b: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %a, %b32 : f32
    %t = math.tanh %s : f32
    %o = arith.truncf %t : f32 to f16
    tgemm.yield %o : f16
  }
  %y = tgemm.matmul %h, %w2 epilogue(%x : tensor<ROWSx768xf16>) {
    epilogue_maps = [affine_map<(m, n) -> (m, n)>]
  } : tensor<ROWSx3072xf16>, tensor<3072x768xf16> -> tensor<ROWSx768xf16> {
  ^bb0(%a: f32, %r: f16):
    %r32 = arith.extf %r : f16 to f32
    %s = arith.addf %a, %r32 : f32
    %o = arith.truncf %s : f32 to f16
    tgemm.yield %o : f16
  }
  return %y : tensor<ROWSx768xf16>
}

// PERSISTENT: gpt2_chain0{{[(:]}}
// SERIAL-DAG: gpt2_chain0_kernel0{{[(:]}}
// SERIAL-DAG: gpt2_chain0_kernel1{{[(:]}}
