"""Which addresses lead to a machine that only its owner reaches."""

import pytest

from batcher_site.hosts import is_private


@pytest.mark.parametrize(
    "href",
    [
        "http://localhost:8000/",
        "http://LOCALHOST./x",
        "http://app.localhost/",
        "http://127.0.0.1/x",
        "http://0.0.0.0:8000/",
        "https://10.1.2.3/",
        "https://172.31.0.1/",
        "http://192.168.0.7/",
        "http://169.254.169.254/latest",
        "http://[::1]:80/",
        "http://[fe80::1]/",
        "http://nas.local/",
        "http://git.corp.internal/x",
        "file:///etc/hosts",
    ],
)
def test_a_machine_of_ones_own_is_private(href: str) -> None:
    assert is_private(href)


@pytest.mark.parametrize(
    "href",
    [
        "https://8.8.8.8/",
        "https://172.32.0.1/",
        "https://localhost.example/",
        "https://notlocalhost/",
        "/a/localhost",
        "mailto:a@x.local",
        "http://[broken/",
        "",
    ],
)
def test_any_other_address_is_public(href: str) -> None:
    assert not is_private(href)
