"""grout-tune: what its commands are made of. See docs/Tuning.md."""
