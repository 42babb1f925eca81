"""What the tenancy's schemas share: fields that mean the same everywhere, and the kinds of body."""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticKnownError

from bailiwick.tenancy.listing import PLAIN
from bailiwick.wrong_input import WrongValue

# Beside what is never plain, what nobody sees: “Sales” twice, told apart by a space without width. Joiners are kept,
# for they shape letters and faces.
SEEN = PLAIN.replace("[^", "[^\\u00ad\\u180e\\u200b\\u200e\\u200f\\u2060-\\u2064\\ufeff")
Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=SEEN),
    AfterValidator(partial(unicodedata.normalize, "NFC")),  # é is one letter, however it was typed
]


def _of_whole_characters(secret: object) -> object:
    """What is secret is not looked at as other texts are."""
    if isinstance(secret, str) and any("\ud800" <= letter <= "\udfff" for letter in secret):
        raise PydanticKnownError("string_unicode")
    return secret


# A password, or what else nobody is shown.
Secret = Annotated[SecretStr, BeforeValidator(_of_whole_characters)]
# A description may have lines and tabs; only NUL can be stored nowhere.
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000, pattern=r"^[^\x00]*$")]
TimeZone = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", examples=["Europe/Berlin"])]
Actions = Annotated[
    list[str], Field(description="What you may do with it.", examples=[["see", "change_tenant_role", "suspend"]])
]
Version = Annotated[int, Field(description="Also the ETag; send it as If-Match with a change.", examples=[3])]
NextCursor = Annotated[str | None, Field(description="Send it as `cursor` for the next page; none on the last page.")]


class Body(BaseModel):
    """What is sent to us; unknown fields are refused, for they are mostly misspelt ones."""

    model_config = ConfigDict(extra="forbid")


class Change(Body):
    """A change of some fields; those left out stay as they are."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.changes():
            fields = ", ".join(type(self).model_fields)
            raise WrongValue("Nothing to change.", f"Give at least one of {fields}.")
        return self

    def changes(self) -> dict[str, Any]:
        return self.model_dump(exclude_unset=True, exclude_none=True)


class In(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)
