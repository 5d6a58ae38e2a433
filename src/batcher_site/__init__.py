"""batcher-site turns YAML and Markdown into a static portfolio with a continuous-batching simulation."""

__version__ = "0.1.0"
