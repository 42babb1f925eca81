"""E-mail addresses in the one form they are kept, compared and signed in with."""

from __future__ import annotations

import unicodedata

from email_validator import EmailNotValidError, validate_email

from bailiwick.errors import Invalid

LONGEST = 254


def normal_email(text: str, field: str = "email") -> str:
    """The address in lower case and one Unicode form, so that no two spellings of it make two members."""
    try:
        valid = validate_email(text.strip(), check_deliverability=False).normalized
    except EmailNotValidError as error:
        raise Invalid(field, "This is not an e-mail address.", f"Write it like ana@example.com. {error}") from error
    normal = unicodedata.normalize("NFC", valid.lower())
    if len(normal) > LONGEST:
        raise Invalid(field, "This address is too long.", f"At most {LONGEST} characters are possible.")
    return normal
