"""How clean the main text of pages is, and how much of that matters to a filter."""
