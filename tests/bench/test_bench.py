"""The bench itself: a missed target fails the run, and what was measured is written down."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench.measure import Result, Say, duration, in_turn
from tests.bench.pages import Company


def measured(ratio: float, **target: float) -> Callable[[Say, bool], Iterator[Result]]:
    def run(say: Say, quick: bool) -> Iterator[Result]:
        say("measuring")
        yield Result("something", 0.002, "something else", 0.004, ratio, **target)  # type: ignore[arg-type]

    return run


@pytest.mark.parametrize(
    ("ratio", "target", "code"),
    [
        (50.0, {"at_least": 50}, 0),
        (49.9, {"at_least": 50}, 1),
        (5.0, {"at_most": 5}, 0),
        (5.1, {"at_most": 5}, 1),
        (0.0, {}, 0),
    ],
)
def test_a_missed_target_fails_the_run_and_is_written_down(
    ratio: float, target: dict[str, float], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "BENCHES", {"some": measured(ratio, **target), "other": measured(1)})
    assert bench.main(["some", "--json", str(tmp_path / "results" / "bench.json")]) == code
    (written,) = json.loads((tmp_path / "results" / "bench.json").read_text())["results"]
    assert (written["bench"], written["ratio"], written["passed"]) == ("some", ratio, code == 0)


def test_an_unknown_bench_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["nothing"])
    assert "there is no bench nothing" in capsys.readouterr().err


def test_times_are_taken_in_turn_and_the_first_round_does_not_count() -> None:
    asked: list[str] = []
    spent = in_turn(2, {"ours": lambda: asked.append("ours"), "theirs": lambda: asked.append("theirs")})
    assert asked == ["ours", "theirs"] * 3
    assert spent.keys() == {"ours", "theirs"}


def test_durations_have_a_unit_one_can_read() -> None:
    assert [duration(seconds) for seconds in (2.5, 0.0123, 0.00000046)] == ["2.5 s", "12.3 ms", "0.46 µs"]


def test_every_place_of_the_app_is_measured() -> None:
    said = "".join(file.read_text() for file in (Path(__file__).parents[2] / "web" / "src").rglob("routes.ts"))
    places = {path for path in re.findall(r'path: "(/[^"$]*)"', said) if not path.endswith("/new")}
    entrances = {"/sign-in", "/join", "/reset-password"}
    assert len(places) > 20
    assert places - entrances == {path for path in Company(*"abcdefgh").pages if path.count("/") == 1}
