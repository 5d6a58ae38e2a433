"""YAML and Markdown to a static portfolio whose home page is the trace of a running engine."""

__version__ = "0.1.0"
