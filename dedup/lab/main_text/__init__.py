"""How clean the main text of pages is, and what of it matters to a filter."""
