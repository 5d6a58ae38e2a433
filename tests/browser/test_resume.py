"""The résumé's page as a browser prints it."""

import io

import pytest
from pypdf import PdfReader

from tests.browser.conftest import Open

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_resume_prints_on_two_pages(open_page: Open, paper: str, scheme: str) -> None:
    page, _ = open_page("/resume/", color_scheme=scheme)
    printed = PdfReader(io.BytesIO(page.pdf(format=paper, prefer_css_page_size=False)))
    texts = [one.extract_text() for one in printed.pages]
    assert len(texts) <= 2
    whole = " ".join(" ".join(texts).split())
    for words in ("Vraj Patel", "Fleet Robotics", "1,030 tok/s", "Transformer shape trace"):
        assert words in whole
    for control in ("Skip to the content", "theme: auto", "JSON Resume"):
        assert control not in whole
