"""Memory-bound kernels for GPUs without a GPU, on random programs.

A random program in linalg is compiled for a GPU. The LLVM IR of its kernels is
made to run on this machine, each thread of a block as a context of its own, and
what it computes is compared with the program as lowered by upstream MLIR; so is
what Grout makes of it for the CPU.

Launches run one after another, in a random order that their edges and branches
allow. So do the blocks of a launch, in any order, and the threads of a block,
each until it waits for others: at a barrier, or at a shuffle. What is not
written is NaN, -1, or no truth value, in shared memory too, and buffers end at
pages that nobody may touch. Buffers that share bytes of the workspace are
apart; the first use of one fills the others. That finds wrong results, missing
barriers, barriers and shuffles that not all threads reach, accesses behind a
buffer, missing edges, and buffers whose bytes are given away too early.

Kernels of collectives run on several ranks at once (ranks.py). For example,
rank 1 may still read what rank 0 sent in run 2 while rank 0 sends for run 3,
and words that a rank stores arrive late and in any order. Blocks of a rank run
at once, a few at a time. That finds runs that mix, vectors of which only some
words are there, and waits that do not end. Matrix products that are summed over
ranks in their own kernel run whole, with their copies by TMA, barriers in
shared memory and MMA instructions (hopper.c), which are done at once.

Not covered are ptxas and its contractions, accuracy of approximate instructions
and of subnormal numbers, alignment, accesses that race and are right in all
orders of whole threads (words that ranks exchange are covered), and whether
kernels that overlap wait for each other: they do not overlap here, and
griddepcontrol does nothing. The emulator refuses by name what it does not know:
kernels with semaphores or clusters, products of one rank, transposed operands
of MMA instructions, shuffles of parts of warps, atomics other than those that
end a run, and all other instructions of NVPTX.
"""
