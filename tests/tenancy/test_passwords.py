"""Which passwords are taken, and how they are compared."""

import time

import pytest
from argon2 import PasswordHasher

from bailiwick.errors import Invalid
from bailiwick.tenancy import passwords
from bailiwick.tenancy.passwords import check_password, hash_password, is_outdated, is_right

GOOD = "violet tram in the rain"


def test_a_password_is_right_only_for_its_own_hash() -> None:
    kept = hash_password(GOOD)
    assert GOOD not in kept
    assert is_right(GOOD, kept)
    assert not is_right(GOOD + "!", kept)
    assert not is_right(GOOD, None)
    assert not is_right(GOOD, "no hash at all")


def test_the_same_letters_from_another_keyboard_are_the_same_password() -> None:
    assert is_right(
        "cafe\N{COMBINING ACUTE ACCENT} au lait!!", hash_password("caf\N{LATIN SMALL LETTER E WITH ACUTE} au lait!!")
    )


@pytest.mark.parametrize(
    "password",
    [
        *("", "eleven char", "x" * 201, "Password1234", "PASSWORDPASSWORD", "aaaaaaaaaaaaaaaa", "abababababababab"),
        *("mia.miller@example.com", "Mia.Miller@Example.COM", "MIA  MILLER-SMITH", "mia.miller-long"),
    ],
)
def test_what_is_easily_guessed_is_refused_with_a_way_out(password: str) -> None:
    with pytest.raises(Invalid) as refused:
        check_password(password, "mia.miller@example.com", "Mia Miller-Smith", "mia.miller-long@example.com")
    assert refused.value.field == "password"
    assert "12 to 200" in refused.value.fix
    assert password == "" or password not in str(refused.value)


def test_words_in_a_row_are_taken() -> None:
    assert check_password(GOOD, "mia@example.com", "Mia") == GOOD


def test_a_hash_of_other_parameters_is_outdated() -> None:
    assert not is_outdated(hash_password(GOOD))
    assert is_outdated(PasswordHasher(time_cost=1).hash(GOOD))


def test_saying_no_takes_as_long_where_there_is_no_password_at_all() -> None:
    kept = hash_password(GOOD)
    fastest: dict[str | None, float] = {kept: float("inf"), None: float("inf")}
    for _ in range(4):
        for password_hash in fastest:
            started = time.perf_counter()
            assert not is_right("something else", password_hash)
            fastest[password_hash] = min(fastest[password_hash], time.perf_counter() - started)
    assert 0.3 < fastest[None] / fastest[kept] < 3


def test_the_stand_in_hash_follows_the_parameters_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    assert not is_outdated(passwords._nobodys())
