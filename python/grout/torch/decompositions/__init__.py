"""How operators are expressed by others, before Grout sees them. `tables` has
all; the other modules have the functions of one kind of operator each."""
