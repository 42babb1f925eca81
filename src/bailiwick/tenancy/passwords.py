"""Passwords: which are taken, and how they are kept and compared (argon2id)."""

from __future__ import annotations

import os
import threading
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bailiwick.errors import Invalid

SHORTEST, LONGEST = 12, 200

# Those of the most common passwords that are long enough to pass otherwise; shorter ones are too short anyway.
_LISTED = """
123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 123456789101112 1234567891011
012345678910 098765432109 0987654321098 098765432112 987654321012 111111111111 1111111111111 000000000000
0000000000000 111222333444 121212121212 123123123123 112233445566 123412341234 123456123456 qwertyuiop12
qwertyuiop123 qwertyuiop1234 qwertyuiopas qwertyuiopasdf qwertyuiop[] qwertyqwerty qwerty123456 qwerty1234567
qwerty12345678 qwerty123456789 qwerty1234567890 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx3edc
1qaz2wsx3edc4rfv zaq12wsxcde3 qazwsxedcrfv qazwsxedc123 asdfghjkl123 asdfghjkl1234 asdfasdfasdf zxcvbnm12345
abcdefghijkl abcdefghijklm abcdefghijklmnop abcd12345678 abc123456789 abcdef123456 a1b2c3d4e5f6 aaaaaaaaaaaa
xxxxxxxxxxxx password1234 password12345 password123456 password1234567 password12345678 password123456789
password1234567890 passwordpassword passwort1234 passwort12345 mypassword123 thisismypassword changemechangeme
changeme1234 changeme12345 changeme123! welcome12345 welcome123456 letmeinletmein letmein12345 administrator
administrator1 administrator123 adminadminadmin adminadmin123 admin1234567 admin12345678 admin123456789
iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch ilovemyfamily football1234 baseball1234 liverpool123
manchesterunited sunshine1234 princess1234 superman1234 michael12345 charlie12345 correcthorsebatterystaple
p@ssw0rd1234 p@ssword1234 passw0rd1234 p@ssw0rd12345 pa$$w0rd1234 secretsecret secret123456 testtesttest
test12345678 testpassword testpassword1 defaultpassword companyname1 summer2024!! winter2024!! summer2025!!
winter2025!! autumn2025!! spring2025!!
"""
MOST_COMMON = frozenset(_LISTED.split()) | {"correct horse battery staple"}

_hasher = PasswordHasher()
# Each hash takes 64 MiB and a core for a moment; a crowd at the door must not take all of either.
_at_once = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))


def check_password(password: str, *personal: str) -> str:
    """Refuse what is easily guessed; `personal` is what everybody knows of this member."""
    fix = f"Choose {SHORTEST} to {LONGEST} characters that nobody would guess; a few words in a row are good."
    plain = _plain(password)
    if len(password) < SHORTEST:
        raise Invalid("password", f"This has {len(password)} characters.", fix)
    if len(password) > LONGEST:
        raise Invalid("password", "This is too long.", fix)
    if plain in MOST_COMMON or len(set(plain)) < 4:
        raise Invalid("password", "This is among the first anybody would try.", fix)
    known = {_plain(text) for text in personal} | {_plain(text).partition("@")[0] for text in personal}
    if plain in known or plain.replace(" ", "") in {text.replace(" ", "") for text in known}:
        raise Invalid("password", "This is your name or e-mail address.", fix)
    return password


def hash_password(password: str) -> str:
    with _at_once:
        return _hasher.hash(_normal(password))


def is_right(password: str, password_hash: str | None) -> bool:
    """Whether it is this password. Where there is none, as long is taken to say no: time tells nothing."""
    with _at_once:
        try:
            _hasher.verify(password_hash or _nobodys(), _normal(password))
        except (VerificationError, InvalidHashError):
            return False
    return password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether it was made with other parameters than today's, and is to be made anew at the next sign-in."""
    return _hasher.check_needs_rehash(password_hash)


def _nobodys() -> str:
    """What looks like a hash made with the parameters in use, and is of no password: comparing takes as long."""
    cost = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    return f"$argon2id$v=19${cost}${'A' * 22}${'A' * 43}"


def _normal(password: str) -> str:
    # The same letters typed on another keyboard can be other code points.
    return unicodedata.normalize("NFKC", password)


def _plain(text: str) -> str:
    return _normal(text).casefold().strip()
