"""The settings of the comparison's site: a page for each text, one list of all, feed and map."""

SITENAME = "Bench"
SITEURL = "https://example.org"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PATH = "content"
THEME = "theme"
ARTICLE_URL = "projects/{slug}/"
ARTICLE_SAVE_AS = "projects/{slug}/index.html"
FEED_ALL_ATOM = "feed.xml"
FEED_MAX_ITEMS = 20
CATEGORY_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = TRANSLATION_FEED_ATOM = None
DIRECT_TEMPLATES = ["index", "sitemap"]
SITEMAP_SAVE_AS = "sitemap.xml"
TAG_SAVE_AS = CATEGORY_SAVE_AS = AUTHOR_SAVE_AS = ""
DEFAULT_PAGINATION = False
THEME_STATIC_PATHS: list[str] = []
STATIC_PATHS: list[str] = []
LOAD_CONTENT_CACHE = CACHE_CONTENT = True
CONTENT_CACHING_LAYER = "generator"
MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.codehilite": {"css_class": "highlight", "guess_lang": False},
        "markdown.extensions.tables": {},
        "markdown.extensions.fenced_code": {},
        "markdown.extensions.toc": {},
    },
    "output_format": "html5",
}
