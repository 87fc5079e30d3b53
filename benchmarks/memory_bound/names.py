"""Names of what is measured, as results and tables have them."""

# Grout as it is, its scheduler without a constraint tree (isl's schedule), and
# with the tree of AKG's greedy policy; both on kernels as they were written, and
# on those that `auto` has, so that only the tree differs.
AUTO = "auto"
NONE = "none"
AKG = "akg"
NONE_TREE = "none-tree"
AKG_TREE = "akg-tree"
VARIANTS = (AUTO, NONE, AKG, NONE_TREE, AKG_TREE)

TORCH_COMPILE = "torch.compile"
EAGER = "torch"
PEERS = (TORCH_COMPILE, EAGER)

COPY = "copy"
