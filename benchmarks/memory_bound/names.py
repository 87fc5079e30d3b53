"""Names of what is measured, as results and tables have them."""

# Grout as it is, its scheduler without a constraint tree (isl's schedule), and
# with the tree of AKG's greedy policy.
AUTO = "auto"
NONE = "none"
AKG = "akg"
VARIANTS = (AUTO, NONE, AKG)

TORCH_COMPILE = "torch.compile"
EAGER = "torch"
PEERS = (TORCH_COMPILE, EAGER)

COPY = "copy"
