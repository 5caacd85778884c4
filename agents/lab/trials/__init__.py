"""How a run goes: the order of its samples, the parts of an arm, one step after another."""
