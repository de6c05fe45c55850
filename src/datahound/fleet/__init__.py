"""Many sites on many machines: one store holds their states, and each has one worker at a time."""
