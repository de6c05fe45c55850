"""What a grid of cells holds: tables, their columns, and whether they are statistics."""
