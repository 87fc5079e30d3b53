"""The modules of grout-tune's commands. See docs/Tuning.md."""

# The version of Grout, as in CMakeLists.txt.
VERSION = "0.1.0"
