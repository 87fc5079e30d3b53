//===- CompilerCApiTest.cpp - The C API of the compiler -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout-c/CompilerMLIR.h"
#include "grout-c/Runtime.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

using ::testing::HasSubstr;

namespace {

constexpr size_t kAlignment = GROUT_CPU_BUFFER_ALIGNMENT;

/// The doubles of a vector of `size` elements, after `sums` additions.
std::string getProgram(int size, int sums = 1) {
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  std::string text = "func.func @sums(%v0: " + type + ") -> " + type + " {\n";
  for (int i = 0; i != sums; ++i) {
    std::string number = std::to_string(i), next = std::to_string(i + 1);
    text += "  %e" + number + " = tensor.empty() : " + type + "\n  %v" + next +
            " = linalg.add ins(%v" + number + ", %v" + number + " : " + type +
            ", " + type + ") outs(%e" + number + " : " + type + ") -> " + type +
            "\n";
  }
  return text + "  return %v" + std::to_string(sums) + " : " + type + "\n}\n";
}

constexpr char kConvolution[] =
    R"(func.func @f(%x: tensor<1x8x4xf16>, %w: tensor<3x4x4xf16>,
                 %y: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %r = linalg.conv_1d_nwc_wcf
      ins(%x, %w : tensor<1x8x4xf16>, tensor<3x4x4xf16>)
      outs(%y : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r : tensor<1x6x4xf32>
})";

class CompilerTest : public ::testing::Test {
protected:
  CompilerTest() {
    EXPECT_EQ(grout_compiler_create(&compiler), GROUT_COMPILER_OK);
  }
  ~CompilerTest() override { grout_compiler_destroy(compiler); }

  grout_compiler_status set(const char *name, const char *value) {
    return grout_compiler_set_option(compiler, name, value);
  }
  grout_compiler_status compile(const std::string &text) {
    return compileWith(compiler, text);
  }
  static grout_compiler_status compileWith(grout_compiler *compiler,
                                           const std::string &text) {
    return grout_compiler_compile(compiler, text.data(), text.size(),
                                  "test.mlir");
  }
  static std::string getOutput(const grout_compiler *compiler) {
    const void *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(grout_compiler_output(compiler, &data, &size), GROUT_COMPILER_OK)
        << grout_compiler_last_error();
    return std::string(static_cast<const char *>(data), size);
  }
  std::string getOutput() { return getOutput(compiler); }

  grout_compiler *compiler = nullptr;
};

/// Runs an artifact of one input and one output on the CPU.
std::vector<float> run(const std::string &artifact,
                       const std::vector<float> &input) {
  grout_module *module = nullptr;
  grout_session *session = nullptr;
  EXPECT_EQ(grout_module_load_memory(artifact.data(), artifact.size(), &module),
            GROUT_OK);
  EXPECT_EQ(grout_session_create(module, nullptr, &session), GROUT_OK);
  size_t bytes =
      (input.size() * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
  void *in = std::aligned_alloc(kAlignment, bytes);
  void *out = std::aligned_alloc(kAlignment, bytes);
  std::copy(input.begin(), input.end(), static_cast<float *>(in));
  const void *inputs[] = {in};
  void *outputs[] = {out};
  EXPECT_EQ(grout_session_run(session, inputs, outputs, nullptr), GROUT_OK);
  auto *first = static_cast<float *>(out);
  std::vector<float> result(first, first + input.size());
  std::free(in);
  std::free(out);
  grout_session_destroy(session);
  grout_module_destroy(module);
  return result;
}

} // namespace

TEST_F(CompilerTest, WhatItCompilesRuns) {
  ASSERT_EQ(compile(getProgram(5, 3)), GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  EXPECT_THAT(run(getOutput(), {1, 2, 3, -4, 0.5f}),
              ::testing::ElementsAre(8, 16, 24, -32, 4));
  EXPECT_EQ(grout_compiler_num_diagnostics(compiler), 0u);
}

TEST_F(CompilerTest, VersionsAreTold) {
  EXPECT_EQ(grout_compiler_api_version(), uint32_t(GROUT_COMPILER_API_VERSION));
  EXPECT_THAT(grout_compiler_version(), ::testing::MatchesRegex("[0-9.]+"));
}

TEST_F(CompilerTest, TargetsAreListed) {
  std::vector<std::string> names;
  for (size_t i = 0; i != grout_compiler_num_targets(); ++i) {
    grout_target target = {};
    target.struct_size = sizeof(target);
    ASSERT_EQ(grout_compiler_target(i, &target), GROUT_COMPILER_OK);
    names.push_back(target.name);
    EXPECT_EQ(set("target", target.name), GROUT_COMPILER_OK);
    EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
    EXPECT_EQ(target.code == GROUT_TARGET_CODE_PTX,
              llvm::StringRef(target.architecture).starts_with("sm_"));
    EXPECT_GE(target.has_products, target.has_f32_products);
    EXPECT_GT(target.processors, 0u);
    EXPECT_EQ(target.peak_memory_rate > 0,
              target.code == GROUT_TARGET_CODE_PTX);
    EXPECT_GT(target.cache_bytes, 0u);
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"cpu", "h200"}));
  EXPECT_TRUE(llvm::is_sorted(names));

  // Nothing is written behind what the caller has.
  grout_target target = {};
  target.struct_size = offsetof(grout_target, architecture);
  ASSERT_EQ(grout_compiler_target(0, &target), GROUT_COMPILER_OK);
  EXPECT_EQ(target.name, names.front());
  EXPECT_EQ(target.architecture, nullptr);

  EXPECT_EQ(grout_compiler_target(names.size(), &target),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  std::string count = std::to_string(names.size());
  EXPECT_EQ(grout_compiler_last_error(),
            "there are " + count + " targets, and no number " + count);
  EXPECT_EQ(grout_compiler_target(0, nullptr),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
}

TEST_F(CompilerTest, OptionsAreTakenByName) {
  ASSERT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  ASSERT_EQ(set("emit", "ptx"), GROUT_COMPILER_OK);
  ASSERT_EQ(set("reference", "false"), GROUT_COMPILER_OK);
  ASSERT_EQ(compile(getProgram(512)), GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  EXPECT_THAT(getOutput(), HasSubstr(".visible .entry sums_kernel0"));
  EXPECT_THAT(getOutput(), ::testing::Not(HasSubstr("reference")));
}

TEST_F(CompilerTest, OptionsAreDescribed) {
  std::map<std::string, grout_option> options;
  for (size_t i = 0; i != grout_compiler_num_options(); ++i) {
    grout_option option = {};
    option.struct_size = sizeof(option);
    ASSERT_EQ(grout_compiler_option(i, &option), GROUT_COMPILER_OK);
    EXPECT_STRNE(option.help, "") << option.name;
    llvm::SmallVector<llvm::StringRef> values;
    llvm::StringRef(option.values).split(values, ',', -1, /*KeepEmpty=*/false);
    EXPECT_TRUE(values.empty() ||
                llvm::is_contained(values, option.default_value))
        << option.name;
    for (llvm::StringRef value : values)
      EXPECT_EQ(set(option.name, value.str().c_str()), GROUT_COMPILER_OK);
    EXPECT_EQ(set(option.name, option.default_value), GROUT_COMPILER_OK)
        << option.name;
    EXPECT_TRUE(options.try_emplace(option.name, option).second);
  }
  // With all defaults, programs compile. A CPU takes no options of schedules.
  EXPECT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
  EXPECT_STREQ(options["reference"].default_value, "true");
  EXPECT_STREQ(options["launch-policy"].values, "nimble,opara,serial,wave");
  EXPECT_STREQ(options["tuning"].values, "");
  EXPECT_EQ(options.count("scop-trace"), 0u);

  // Nothing is written behind what the caller has.
  grout_option option = {};
  option.struct_size = offsetof(grout_option, help);
  ASSERT_EQ(grout_compiler_option(0, &option), GROUT_COMPILER_OK);
  EXPECT_EQ(option.help, nullptr);
  EXPECT_EQ(grout_compiler_option(options.size(), &option),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_compiler_option(0, nullptr),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
}

TEST_F(CompilerTest, TilingsAreListed) {
  const char *program =
      "func.func @f(%x: tensor<64x256xf16>, %y: tensor<256x128xf16>,\n"
      "             %z: tensor<64x128xf32>) -> tensor<64x128xf32> {\n"
      "  %r = linalg.matmul\n"
      "      ins(%x, %y : tensor<64x256xf16>, tensor<256x128xf16>)\n"
      "      outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>\n"
      "  return %r : tensor<64x128xf32>\n"
      "}\n";
  ASSERT_EQ(set("list-tilings", "2"), GROUT_COMPILER_OK);
  EXPECT_EQ(compile(program), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(grout_compiler_last_error(),
               "--list-tilings needs another --target: tilings for 'cpu' are "
               "not modelled");
  ASSERT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  ASSERT_EQ(compile(program), GROUT_COMPILER_OK) << grout_compiler_last_error();
  EXPECT_THAT(getOutput(), HasSubstr("\"candidates\": ["));
  EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_ERROR_REFUSED);
  EXPECT_THAT(grout_compiler_last_error(),
              HasSubstr("the module has no matrix product or convolution"));
}

TEST_F(CompilerTest, OptionsThatThereAreNotAreRefused) {
  auto expect = [&](const char *name, const char *value, const char *message) {
    EXPECT_EQ(set(name, value), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
    EXPECT_STREQ(grout_compiler_last_error(), message);
  };
  expect("colour", "blue", "there is no option 'colour'");
  expect("scop-trace", "true", "there is no option 'scop-trace'");
  EXPECT_EQ(set("target", "abacus"), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_compiler_last_error(),
              ::testing::MatchesRegex(
                  "unknown --target 'abacus'; targets are: .*cpu, .*h200.*"));
  expect("scop-tree", "oak",
         "unknown --scop-tree 'oak'; trees are: akg, auto, from-ir, none");
  expect("launch-policy", "random",
         "unknown --launch-policy 'random'; policies are: nimble, opara, "
         "serial, wave");
  expect("mode", "fast",
         "option 'mode' takes serial, pdl, overlap, persistent, auto, not "
         "'fast'");
  expect("reference", "1", "option 'reference' takes true or false, not '1'");
  expect("explain", "", "option 'explain' takes true or false, not ''");
  expect("debug-sync-milliseconds", "-1",
         "option 'debug-sync-milliseconds' takes a number up to 4294967295, "
         "not '-1'");
  expect("edge-modes", "pdl,persistent",
         "option 'edge-modes' takes serial, pdl or overlap, not 'persistent'");
  expect("edge-modes", "pdl,,serial",
         "option 'edge-modes' takes serial, pdl or overlap, not ''");
  // What is refused is not set.
  EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
}

TEST_F(CompilerTest, OptionsThatContradictEachOtherAreRefused) {
  auto expect = [&](const char *message) {
    EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
    EXPECT_THAT(grout_compiler_last_error(), HasSubstr(message));
  };
  ASSERT_EQ(set("emit", "ptx"), GROUT_COMPILER_OK);
  expect("--emit=ptx needs a GPU; for a CPU use --emit=asm");
  ASSERT_EQ(set("emit", "artifact"), GROUT_COMPILER_OK);
  EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
}

TEST_F(CompilerTest, DiagnosticsSayWhereWhatAndWhy) {
  ASSERT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  EXPECT_EQ(compile(kConvolution), GROUT_COMPILER_ERROR_REFUSED);
  EXPECT_THAT(grout_compiler_last_error(), HasSubstr("test.mlir:3:"));
  ASSERT_GE(grout_compiler_num_diagnostics(compiler), 1u);
  grout_diagnostic diagnostic;
  diagnostic.struct_size = sizeof(diagnostic);
  ASSERT_EQ(grout_compiler_diagnostic(compiler, 0, &diagnostic),
            GROUT_COMPILER_OK);
  EXPECT_EQ(diagnostic.severity, GROUT_SEVERITY_ERROR);
  EXPECT_STREQ(diagnostic.op, "linalg.conv_1d_nwc_wcf");
  EXPECT_THAT(diagnostic.reason,
              HasSubstr("cannot be compiled for h200: it is no convolution of "
                        "images by rows and columns"));
  EXPECT_STREQ(diagnostic.file, "test.mlir");
  EXPECT_EQ(diagnostic.line, 3u);
  EXPECT_EQ(diagnostic.column, 8u);
  EXPECT_THAT(diagnostic.location, HasSubstr("\"test.mlir\":3:8"));

  // Nothing is written behind what the caller has.
  diagnostic.struct_size = offsetof(grout_diagnostic, op);
  diagnostic.op = nullptr;
  ASSERT_EQ(grout_compiler_diagnostic(compiler, 0, &diagnostic),
            GROUT_COMPILER_OK);
  EXPECT_EQ(diagnostic.op, nullptr);

  // The next compilation starts anew.
  ASSERT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
  EXPECT_EQ(grout_compiler_num_diagnostics(compiler), 0u);
}

TEST_F(CompilerTest, DiagnosticsHaveTheOpThatTheyQuote) {
  EXPECT_EQ(compile("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                    "  %y = math.sin %x : tensor<4xf32>\n"
                    "  return %y : tensor<4xf32>\n"
                    "}\n"),
            GROUT_COMPILER_ERROR_REFUSED);
  bool hasError = false;
  for (size_t i = 0; i != grout_compiler_num_diagnostics(compiler); ++i) {
    grout_diagnostic diagnostic;
    diagnostic.struct_size = sizeof(diagnostic);
    ASSERT_EQ(grout_compiler_diagnostic(compiler, i, &diagnostic),
              GROUT_COMPILER_OK);
    EXPECT_STREQ(diagnostic.op,
                 diagnostic.severity == GROUT_SEVERITY_NOTE ? "" : "math.sin");
    hasError |= diagnostic.severity == GROUT_SEVERITY_ERROR;
  }
  EXPECT_TRUE(hasError);
}

TEST_F(CompilerTest, ProgramsThatAreNoneAreRefused) {
  std::string zeros("ML\xefR\0\0\0\0", 8);
  for (const std::string &text :
       {std::string("func.func @f("), std::string("\xff\xfe"), zeros,
        std::string(200000, '('), std::string()}) {
    EXPECT_EQ(compile(text), GROUT_COMPILER_ERROR_REFUSED);
    EXPECT_STRNE(grout_compiler_last_error(), "");
  }
}

TEST_F(CompilerTest, ExplanationsAndTimelinesAreGivenWhenAskedFor) {
  const char *text = nullptr;
  size_t size = 0;
  ASSERT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
  EXPECT_EQ(grout_compiler_explanation(compiler, &text, &size),
            GROUT_COMPILER_ERROR_NOT_FOUND);
  EXPECT_EQ(grout_compiler_timeline(compiler, &text, &size),
            GROUT_COMPILER_ERROR_NOT_FOUND);
  ASSERT_EQ(set("explain", "true"), GROUT_COMPILER_OK);
  ASSERT_EQ(set("timeline", "true"), GROUT_COMPILER_OK);
  ASSERT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  ASSERT_EQ(grout_compiler_explanation(compiler, &text, &size),
            GROUT_COMPILER_OK);
  EXPECT_THAT(std::string(text, size), HasSubstr("every read is covered"));
  EXPECT_THAT(std::string(text, size), HasSubstr("loop 0      4, in parallel"));
  ASSERT_EQ(grout_compiler_timeline(compiler, &text, &size), GROUT_COMPILER_OK);
  EXPECT_THAT(std::string(text, size), HasSubstr("<svg"));

  ASSERT_EQ(set("timeline", "false"), GROUT_COMPILER_OK);
  ASSERT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  ASSERT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  ASSERT_EQ(grout_compiler_explanation(compiler, &text, &size),
            GROUT_COMPILER_OK);
  EXPECT_THAT(std::string(text, size),
              HasSubstr("shared memory   0 of 232448 bytes"));
}

TEST_F(CompilerTest, NullsAreRefused) {
  EXPECT_EQ(grout_compiler_create(nullptr),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(set(nullptr, ""), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(set("mode", nullptr), GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_compiler_compile(compiler, nullptr, 0, "x"),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(grout_compiler_last_error(), "'program' is null");
  EXPECT_EQ(grout_compiler_compile(nullptr, "", 0, "x"),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(grout_compiler_compile_module(compiler, MlirModule{nullptr}, "x"),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  const void *data = nullptr;
  EXPECT_EQ(grout_compiler_output(compiler, &data, nullptr),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  size_t size = 0;
  EXPECT_EQ(grout_compiler_output(compiler, &data, &size),
            GROUT_COMPILER_ERROR_NOT_FOUND);
  grout_diagnostic diagnostic;
  diagnostic.struct_size = sizeof(diagnostic);
  EXPECT_EQ(grout_compiler_diagnostic(compiler, 0, &diagnostic),
            GROUT_COMPILER_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(grout_compiler_last_error(),
               "there are 0 diagnostics, and no number 0");
  grout_compiler_cancel(nullptr);
  grout_compiler_destroy(nullptr);
}

TEST_F(CompilerTest, ThreadsCompileAtOnce) {
  ASSERT_EQ(set("target", "h200"), GROUT_COMPILER_OK);
  std::vector<std::string> programs, alone;
  for (int i = 1; i != 5; ++i)
    programs.push_back(getProgram(100 * i, i));
  for (const std::string &program : programs) {
    ASSERT_EQ(compile(program), GROUT_COMPILER_OK);
    alone.push_back(getOutput());
  }
  std::vector<std::string> together(programs.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i != programs.size(); ++i)
    threads.emplace_back([&, i] {
      grout_compiler *own = nullptr;
      EXPECT_EQ(grout_compiler_create(&own), GROUT_COMPILER_OK);
      EXPECT_EQ(grout_compiler_set_option(own, "target", "h200"),
                GROUT_COMPILER_OK);
      EXPECT_EQ(compileWith(own, programs[i]), GROUT_COMPILER_OK);
      together[i] = getOutput(own);
      grout_compiler_destroy(own);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(together, alone);
}

TEST_F(CompilerTest, CompilationsCanBeCancelled) {
  std::atomic<bool> hasEnded = false;
  std::thread other([&] {
    while (!hasEnded) {
      grout_compiler_cancel(compiler);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(compile(getProgram(1000, 200)), GROUT_COMPILER_ERROR_CANCELLED);
  EXPECT_STREQ(grout_compiler_last_error(), "the compilation was cancelled");
  hasEnded = true;
  other.join();
  // What was cancelled has ended, and does not stop the next.
  EXPECT_EQ(compile(getProgram(4)), GROUT_COMPILER_OK);
}

TEST_F(CompilerTest, ModulesOfMLIRAreTaken) {
  mlir::MLIRContext context;
  context
      .loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                   mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
  std::string text = getProgram(3);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context));
  ASSERT_TRUE(module);
  ASSERT_EQ(grout_compiler_compile_module(compiler, wrap(*module), "module"),
            GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  EXPECT_THAT(run(getOutput(), {1, 2, 3}), ::testing::ElementsAre(2, 4, 6));
  // It stays as it is.
  EXPECT_TRUE(module->lookupSymbol<mlir::func::FuncOp>("sums"));
}

/// A context with a dialect, `caller`, that Grout does not know.
class CallerTest : public CompilerTest {
protected:
  CallerTest() {
    context.allowUnregisteredDialects();
    context
        .loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                     mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect,
                     mlir::tensor::TensorDialect>();
  }
  grout_compiler_status compileModule(const char *text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), "caller.mlir");
    EXPECT_TRUE(module);
    return grout_compiler_compile_module(compiler, wrap(*module), "module");
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(CallerTest, AttributesOfOthersPass) {
  ASSERT_EQ(compileModule(R"(
    module attributes {caller.model = #caller.model<"m">, caller.plain = 1} {
      func.func @f(%x: tensor<3xf32> {caller.arg = #caller.arg<1>})
          -> (tensor<3xf32> {caller.result = [#caller.arg<2>]})
          attributes {caller.tag = !caller.type<3>} {
        %e = tensor.empty() {caller.tag} : tensor<3xf32>
        %y = linalg.add {caller.tag = {a = #caller.arg<4>}}
            ins(%x, %x : tensor<3xf32>, tensor<3xf32>)
            outs(%e : tensor<3xf32>) -> tensor<3xf32>
            loc(fused<#caller.source<5>>["model.py":6:7])
        return {caller.tag = #caller.arg<8>} %y : tensor<3xf32>
      }
    })"),
            GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  EXPECT_THAT(run(getOutput(), {1, 2, 3}), ::testing::ElementsAre(2, 4, 6));
  // The caller's module has them still.
  EXPECT_TRUE((*module)->hasAttr("caller.model"));
}

TEST_F(CallerTest, WhatIsForTheHostIsLeftOut) {
  ASSERT_EQ(compileModule(R"(
    func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = "caller.thing"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    func.func @load(%p: memref<4xf32>, %n: index) -> f32 {
      %v = memref.load %p[%n] : memref<4xf32>
      return %v : f32
    }
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %y = linalg.add ins(%x, %x : tensor<3xf32>, tensor<3xf32>)
          outs(%e : tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    memref.global "private" @table : memref<4xf32> = dense<0.0>
    "caller.metadata"() {list = [#caller.arg<1>]} : () -> ())"),
            GROUT_COMPILER_OK)
      << grout_compiler_last_error();
  EXPECT_THAT(run(getOutput(), {1, 2, 3}), ::testing::ElementsAre(2, 4, 6));
  EXPECT_TRUE(module->lookupSymbol("helper"));
}

TEST_F(CallerTest, OpsOfOthersAreRefusedWhereTheyStand) {
  EXPECT_EQ(compileModule(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = func.call @helper(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
    func.func private @helper(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = "caller.thing"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    })"),
            GROUT_COMPILER_ERROR_REFUSED);
  ASSERT_EQ(grout_compiler_num_diagnostics(compiler), 1u);
  grout_diagnostic diagnostic;
  diagnostic.struct_size = sizeof(diagnostic);
  ASSERT_EQ(grout_compiler_diagnostic(compiler, 0, &diagnostic),
            GROUT_COMPILER_OK);
  EXPECT_STREQ(diagnostic.op, "caller.thing");
  EXPECT_THAT(diagnostic.reason,
              HasSubstr("Grout does not know the dialect 'caller'"));
  EXPECT_STREQ(diagnostic.file, "caller.mlir");
  EXPECT_EQ(diagnostic.line, 7u);

  EXPECT_EQ(compileModule("func.func @f(%x: tensor<3xf32, #caller.layout<1>>) "
                          "-> tensor<3xf32> {\n"
                          "  %e = tensor.empty() : tensor<3xf32>\n"
                          "  return %e : tensor<3xf32>\n"
                          "}"),
            GROUT_COMPILER_ERROR_REFUSED);
  EXPECT_THAT(grout_compiler_last_error(),
              HasSubstr("is of a dialect that Grout does not know"));
}
