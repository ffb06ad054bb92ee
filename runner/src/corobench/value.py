"""What every file written by people is read into."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what is read from files written by people: an unknown key is an error."""
