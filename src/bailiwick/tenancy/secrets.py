"""Secrets that are shown once and kept as hashes."""

from __future__ import annotations

import hashlib
import secrets

TOKEN, SESSION, LINK = "bwt_", "bws_", "bwl_"


def new_secret(kind: str) -> tuple[str, str]:
    """A secret of 256 random bits and its hash; so much chance needs no slow hash."""
    secret = kind + secrets.token_urlsafe(32)
    return secret, hash_of(secret)


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
