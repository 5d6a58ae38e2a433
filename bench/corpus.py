"""
The corpus of the comparison: N texts, in the form that each generator reads.

A text has a date, two tags, a summary, four metrics, a link, and about 350 words with two headings,
a list, a table and a highlighted block of twelve lines. `sites/` beside this file has what each
generator needs to make of them a home page with a card for each text, a page for each, a feed of
the 20 newest and a map. Our theme is as small there as the peers': the comparison is of generators.
"""

import random
from datetime import date, timedelta
from typing import NamedTuple

FEED_LENGTH = 20

_WORDS = (
    "attention batch block budget cache chunk decode device draft engine expert frame graph head"
    " kernel latency layer length lookup memory merge model page pattern phase prefill prompt queue"
    " rate reader request router sample schedule server shape slot stream stride table tensor"
    " thread tile token trace vector wave weight window worker"
).split()
_CODE = """\
def schedule(requests, slots, budget):
    \"\"\"Fill free slots, then spend the budget on what runs.\"\"\"
    running = []
    for request in sorted(requests, key=lambda item: item.arrival):
        if len(running) == slots:
            break
        running.append(request)
    spent = {number}
    for request in running:
        take = min(request.remaining, budget - spent)
        spent += take
    return running, spent
"""


class Text(NamedTuple):
    """One text of the corpus: its front matter as values, and its Markdown."""

    slug: str
    title: str
    day: date
    tags: tuple[str, str]
    summary: str
    metrics: tuple[tuple[str, int], ...]
    link: str
    body: str


def texts(count: int) -> list[Text]:
    """Draw the texts, the newest first; the same for every call."""
    return [text(number) for number in range(count)]


def text(number: int) -> Text:
    """Draw one text, by its place among all."""
    draw = random.Random(number)  # noqa: S311 -- words for a measurement

    def words(least: int, most: int) -> str:
        return " ".join(draw.choice(_WORDS) for _ in range(draw.randint(least, most)))

    def paragraph() -> str:
        sentences = (f"{words(8, 14).capitalize()}." for _ in range(5))
        return (
            " ".join(sentences)
            .replace(" cache ", " **cache** ", 1)
            .replace(" slot ", " `slot` ", 1)
        )

    items = "\n".join(f"- {words(6, 10)}" for _ in range(4))
    rows = "\n".join(
        f"| {words(1, 2)} | {draw.randint(1, 99)} | {draw.random():.2f} |" for _ in range(4)
    )
    return Text(
        slug=f"text-{number:05}",
        title=f"{words(3, 5).capitalize()} {number}",
        day=date(2026, 11, 30) - timedelta(days=number),
        tags=(f"topic-{number % 10}", f"area-{number % 7}"),
        summary=f"{words(12, 18).capitalize()}.",
        metrics=tuple((f"{words(1, 2)} {index}", draw.randint(1, 9999)) for index in range(4)),
        link=f"https://code.example.com/{number}",
        body=(
            f"{paragraph()}\n\n## {words(2, 4).capitalize()}\n\n{paragraph()}\n\n{items}\n\n"
            f"{paragraph()}\n\n## {words(2, 4).capitalize()}\n\n{paragraph()}\n\n"
            f"| setting | value | share |\n| --- | --- | --- |\n{rows}\n\n"
            f"```python\n{_CODE.replace('{number}', str(number))}```\n\n"
            f"{paragraph()} See [the code](https://code.example.com/{number}/code).\n"
        ),
    )


def batcher(text: Text, number: int, count: int) -> tuple[str, str]:
    """
    Give a file of our site.

    The 20 newest texts, or half of a small corpus, are write-ups, because our feed holds only
    those; the home page shows both.
    """
    if number < min(FEED_LENGTH, count // 2):
        return f"content/writing/{text.slug}.md", f"---\n{_front_matter(text)}---\n{text.body}"
    metrics = "".join(
        f"  - label: {label}\n    values: [{{value: {value}, unit: ms}}]\n"
        for label, value in text.metrics
    )
    extra = f"metrics:\n{metrics}links:\n  - kind: repo\n    url: {text.link}\n"
    return f"content/projects/{text.slug}.md", f"---\n{_front_matter(text)}{extra}---\n{text.body}"


def yaml(folder: str, text: Text) -> tuple[str, str]:
    """Give a file of a site of Hugo or Eleventy below `folder`."""
    metrics = "".join(
        f"  - {{label: {label}, value: {value} ms}}\n" for label, value in text.metrics
    )
    extra = f"metrics:\n{metrics}link: {text.link}\n"
    return f"{folder}/{text.slug}.md", f"---\n{_front_matter(text)}{extra}---\n{text.body}"


def pelican(text: Text) -> tuple[str, str]:
    """Give a file of a site of Pelican, whose metadata are single lines."""
    metrics = "; ".join(f"{label}: {value} ms" for label, value in text.metrics)
    front = (
        f"Title: {text.title}\nDate: {text.day}\nTags: {', '.join(text.tags)}\nSlug: {text.slug}\n"
        f"Summary: {text.summary}\nMetrics: {metrics}\nLink: {text.link}\n"
    )
    return f"content/{text.slug}.md", f"{front}\n{text.body}"


def _front_matter(text: Text) -> str:
    tags = ", ".join(text.tags)
    return f"title: {text.title}\ndate: {text.day}\ntags: [{tags}]\nsummary: {text.summary}\n"
