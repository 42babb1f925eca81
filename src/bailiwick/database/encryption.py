"""Encryption at rest, with a key from the settings or from a file that only its owner may read."""

import os
import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bailiwick.settings import Settings

FILE_NAME = "secret.key"

_cipher: MultiFernet | None = None


class EncryptionError(Exception):
    """The key is missing, wrong or unsafe; the message says what to do."""


def use_key(settings: Settings) -> None:
    """Choose the key that this process encrypts and decrypts with, making one at the first start."""
    file = settings.home / FILE_NAME
    if settings.secret_key is not None:
        use_keys(settings.secret_key.get_secret_value().split(","), "BAILIWICK_SECRET_KEY")
    else:
        use_keys(read_or_make_key_file(file).split(), str(file))


def use_keys(keys: list[str], origin: str = "the caller") -> None:
    """Encrypt with the first key, and decrypt with any of them."""
    global _cipher
    try:
        _cipher = MultiFernet([Fernet(key.strip()) for key in keys])
    except ValueError:
        raise EncryptionError(
            f"The key from {origin} is not 32 bytes in URL-safe base64. "
            "Restore the right one; for a new platform, make one with: "
            'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
        ) from None


def encrypt(text: str) -> str:
    """Encrypt with the chosen key."""
    return _chosen().encrypt(text.encode()).decode("ascii")


def decrypt(text: str) -> str:
    """Decrypt what `encrypt` made, with the chosen key or one before it."""
    try:
        return _chosen().decrypt(text).decode()
    except InvalidToken:
        raise EncryptionError(
            "A stored credential was encrypted with another key. "
            f"Bring back that key, in BAILIWICK_SECRET_KEY or {FILE_NAME}."
        ) from None


def read_or_make_key_file(file: Path) -> str:
    """The text of the key file, which is made first if there is none."""
    if not file.exists():
        _make_key_file(file)
    try:
        mode = file.stat().st_mode & 0o777
        text = file.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise EncryptionError(f"The key file {file} cannot be read: {error}") from None
    if mode & 0o077:
        raise EncryptionError(
            f"Others on this machine may open the key file {file} (mode {mode:o}). Run: chmod 600 {file}"
        )
    return text


def _make_key_file(file: Path) -> None:
    # Written whole under another name and then linked, so that neither a second start at the same moment
    # nor a crash can leave half a key or replace one.
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(Fernet.generate_key() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
            os.link(draft, file)
        finally:
            draft.unlink()
    except FileExistsError:
        pass  # Another start was first: its key is the key.
    except OSError as error:
        raise EncryptionError(f"The key file {file} cannot be made: {error}") from None


def _chosen() -> MultiFernet:
    if _cipher is None:
        raise EncryptionError("No key was chosen: call use_key(settings) before the database is used.")
    return _cipher
