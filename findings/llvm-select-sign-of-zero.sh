#!/bin/sh
# LLVM's InstCombine loses the sign of -0.0. If a float is compared with 0.0,
# and the float, widened, or 0.0 is selected, the cast moves behind the select,
# and "less" becomes "less or equal". -0.0 is equal to 0.0, so 0.0 is selected.
# In C: double f(float x) { return x < 0.0f ? 0.0 : x; } with clang -O2.
#
# Seen with LLVM 20.1 (llvmlite 0.45.1), and with opt and clang 22.1:
# optimised 0.0, as written -0.0.
#
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet llvmlite==0.45.1
"$folder/venv/bin/python" - <<'PYTHON'
import ctypes
import sys

from llvmlite import binding as llvm

PROGRAM = """
define double @f(float %x) {
  %less = fcmp olt float %x, 0.0
  %wide = fpext float %x to double
  %result = select i1 %less, double 0.0, double %wide
  ret double %result
}
"""
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def result(is_optimised):
    """What f(-0.0) returns."""
    module = llvm.parse_assembly(PROGRAM)
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
    if is_optimised:
        passes = llvm.create_new_module_pass_manager()
        passes.add_instruction_combine_pass()
        passes.run(
            module,
            llvm.create_pass_builder(
                machine, llvm.create_pipeline_tuning_options()
            ),
        )
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_float)(
            engine.get_function_address("f")
        )
        return function(-0.0)


optimised, written = result(True), result(False)
print("optimised", optimised, "as written", written)
sys.exit(0 if (str(optimised), str(written)) == ("0.0", "-0.0") else 1)
PYTHON
