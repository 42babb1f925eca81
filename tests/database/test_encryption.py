"""The encryption key: made once, private, checked and changeable."""

import threading
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bailiwick.database.encryption import EncryptionError, decrypt, encrypt, read_or_make_key_file, use_key, use_keys
from bailiwick.settings import load_settings


def test_the_key_file_is_made_once_and_only_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    key = read_or_make_key_file(file)
    assert read_or_make_key_file(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_starts_at_the_same_moment_agree_on_one_key(tmp_path: Path) -> None:
    keys: list[str] = []
    barrier = threading.Barrier(8)

    def start() -> None:
        barrier.wait()
        keys.append(read_or_make_key_file(tmp_path / "secret.key"))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_file_that_others_may_open_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "secret.key"
    read_or_make_key_file(file)
    file.chmod(mode)
    with pytest.raises(EncryptionError, match=f"chmod 600 {file}"):
        read_or_make_key_file(file)


@pytest.mark.parametrize("content", ["", "short\n", "not base64 at all !!"])
def test_a_damaged_key_file_is_refused_and_left_alone(content: str) -> None:
    settings = load_settings()
    settings.home.mkdir()
    file = settings.home / "secret.key"
    file.write_text(content)
    file.chmod(0o600)
    with pytest.raises(EncryptionError, match=r"secret.key is not 32 bytes"):
        use_key(settings)
    assert file.read_text() == content


def test_a_key_in_the_settings_needs_no_file() -> None:
    settings = load_settings(secret_key=Fernet.generate_key().decode())
    use_key(settings)
    assert decrypt(encrypt("hunter2")) == "hunter2"
    assert not settings.home.exists()


def test_a_new_key_reads_what_the_old_one_wrote() -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    use_keys([old])
    written = encrypt("hunter2")
    use_key(load_settings(secret_key=f"{new}, {old}"))
    assert decrypt(written) == "hunter2"

    rewritten = encrypt("hunter2")
    use_keys([new])
    assert decrypt(rewritten) == "hunter2"
    with pytest.raises(EncryptionError, match="another key"):
        decrypt(written)
