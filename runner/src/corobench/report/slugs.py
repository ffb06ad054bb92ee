"""Names from results as safe parts of paths and anchors: nothing that a hostile name holds can leave its folder."""

from __future__ import annotations

import hashlib
import re

_UNSAFE = re.compile(r"[^a-z0-9.,=~_-]+")


def slug(text: str) -> str:
    """Lower-case letters, digits and a few signs; a digest is added where anything was lost, so that two names never meet."""
    safe = _UNSAFE.sub("-", text.lower()).strip("-.")[:80]
    if safe and safe == text:
        return safe
    return f"{safe or 'x'}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def anchor(*parts: str) -> str:
    """An element id for a cell or a section; starts with a letter where the first part does."""
    return "--".join(slug(part) for part in parts)
