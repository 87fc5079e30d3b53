"""grout-tune: what its commands are made of. See docs/Tuning.md."""

# That of all of Grout, as in CMakeLists.txt.
VERSION = "0.1.0"
