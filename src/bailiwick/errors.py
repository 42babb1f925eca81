"""What can go wrong in a use case, in the words the doors show; refusals are `access.decision.Refused`."""

from __future__ import annotations

from typing import Any


class NotFound(Exception):
    """It is not there, or not for this caller: both read the same."""

    def __init__(self, what: str) -> None:
        super().__init__(f"There is no such {what}.")
        self.what = what


class Conflict(Exception):
    """The right may be there, the state is not; the message says what holds it and what to do."""

    def __init__(self, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.more = more


class Stale(Conflict):
    """Somebody else changed it since it was read."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Somebody else changed this {what} meanwhile. Read it again and repeat the change.")


class Invalid(Exception):
    """A value that cannot be taken: which field, what is wrong, and how to mend it."""

    def __init__(self, field: str, problem: str, fix: str = "") -> None:
        super().__init__(f"{field}: {problem} {fix}".strip())
        self.field = field
        self.problem = problem
        self.fix = fix


class TooManyAttempts(Exception):
    """Signing in or asking for links too often."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("Too many attempts. Wait a little and try again.")
        self.retry_after_seconds = retry_after_seconds


class NotSignedIn(Exception):
    """No valid session or token came with the request."""

    def __init__(self, detail: str = "Sign in first, or send a valid token.") -> None:
        super().__init__(detail)


class LinkGone(Exception):
    """A link that opens nothing: used, expired, replaced, never made, or of somebody who may not come in."""

    def __init__(self) -> None:
        # Which of these it was would tell a stranger something about an account.
        super().__init__(
            "This link does not work, or no longer. Links work once and for a limited time: get a new one."
        )


class NotThisWay(Exception):
    """The member may do it, but not in the way they came: through a token where it takes a session."""

    resource_type = "api_token"  # what it goes on record under


class NotWhileViewing(NotThisWay):
    """Whoever views as another member changes nothing, and does not see what is that member's alone."""

    resource_type = "member"
