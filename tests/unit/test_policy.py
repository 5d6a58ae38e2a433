import base64
import hashlib

from batcher_site.policy import content_security_policy

DATA = '{"@context": 1}'


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def directives(policy: str) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in policy.split("; "))


def test_inline_texts_are_allowed_by_their_hashes_and_no_others() -> None:
    allowed = directives(content_security_policy("a{}", "one()", DATA))
    assert allowed["style-src"] == source("a{}")
    assert allowed["script-src"] == f"'self' {source('one()')} {source(DATA)}"


def test_nothing_but_the_site_s_own_files_is_loaded() -> None:
    allowed = directives(content_security_policy(""))
    assert allowed.pop("default-src") == "'none'"
    sources = {word for value in allowed.values() for word in value.split()}
    assert {word for word in sources if not word.startswith("'sha256-")} <= {"'self'", "'none'"}
