"""Labelled collections: how well schemes find what repeats, and how clean a page's text is."""
