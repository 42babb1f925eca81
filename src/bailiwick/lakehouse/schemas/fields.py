"""What the lakehouse's schemas share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

Identifier = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,62}$"),
    Field(description="A name in statements: small letters, digits and underscores, beginning with a letter."),
]
Level = Annotated[Literal["Viewer", "Editor", "Manager"], Field(description="What the holder may do.")]
InPart = Annotated[
    bool,
    Field(
        description="You hold no level on the layer itself: it is shown because of a level on something in it, and "
        "nothing else in it is."
    ),
]
OwnLevel = Annotated[
    Literal["none", "Viewer", "Editor", "Manager"],
    Field(description="Your level, by grants or by the plan; owners and admins are not held back by theirs."),
]
