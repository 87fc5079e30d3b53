"""Decompositions: rules that express an operator by other operators, before
Grout sees the graph. `tables` collects all rules; each other module has the
rules for one kind of operator."""
