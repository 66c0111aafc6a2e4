"""The spiders of this project."""
