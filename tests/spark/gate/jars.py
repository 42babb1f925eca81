"""What classes there are in a jar and what they extend, read from the jar itself: no JVM needed, nothing is loaded."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ABSTRACT = 0x0400
# Sizes of the entries of a class file's constant pool, by their tag; text (1) has a length of its own.
_SIZES = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}


class Classes:
    """The classes of Spark and Delta in these jars."""

    def __init__(self, jars: Iterable[Path]) -> None:
        self.extends: dict[str, str] = {}
        self.abstract: set[str] = set()
        for jar in jars:
            with zipfile.ZipFile(jar) as archive:
                for entry in archive.namelist():
                    if entry.endswith(".class") and entry.startswith(("org/apache/spark/", "io/delta/")):
                        self._add(archive.read(entry))

    def below(self, top: str) -> set[str]:
        """Every class that can be made and extends this one, directly or not."""
        return {name for name in self.extends if name not in self.abstract and top in self._above(name)}

    def _above(self, name: str) -> Iterator[str]:
        while name in self.extends:
            yield name
            name = self.extends[name]
        yield name

    def _add(self, data: bytes) -> None:
        pool: dict[int, bytes | int] = {}
        (count,) = struct.unpack_from(">H", data, 8)
        position, index = 10, 1
        while index < count:
            tag = data[position]
            if tag == 1:
                (length,) = struct.unpack_from(">H", data, position + 1)
                pool[index] = data[position + 3 : position + 3 + length]
                position += 3 + length
            else:
                if tag == 7:
                    pool[index] = struct.unpack_from(">H", data, position + 1)[0]
                position += _SIZES[tag]
                index += tag in (5, 6)  # long and double take two places
            index += 1
        flags, this, parent = struct.unpack_from(">HHH", data, position)

        def named(place: int) -> str:
            text = pool[pool[place]]  # type: ignore[index]
            assert isinstance(text, bytes)
            return text.decode().replace("/", ".")

        self.extends[named(this)] = named(parent) if parent else ""
        if flags & ABSTRACT:
            self.abstract.add(named(this))
