"""
What a page may load: nothing but the site's own files, and inline text by its hash.

Source: Content Security Policy Level 3. Validators count data blocks as inline scripts, so their
hashes are named too.
"""

import base64
import hashlib


def content_security_policy(style: str, *scripts: str) -> str:
    """Give the policy for a page with these inline texts and no others."""
    policy = {
        "default-src": "'none'",
        "img-src": "'self'",
        "font-src": "'self'",
        "style-src": _source(style),
        "script-src": " ".join(["'self'", *map(_source, scripts)]),
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
