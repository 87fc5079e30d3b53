"""GPU tests: cases compiled on any machine, and run where the GPU is.

ir            functions in linalg, written from Python
cases         the table of cases
memory_bound  cases without products, or between them
layers        cases of whole layers
chance        cases from a seed
compiling     compiles cases into a directory with a manifest
stalling      makes artifacts whose tiles wait for ever
running       runs what a manifest lists
"""
