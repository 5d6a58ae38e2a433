"""
Results of pure functions, kept from one build to the next.

A result is found by a digest of all inputs of its function and of the program that computed it:
nothing is ever out of date, and nothing is invalidated. All results lie in one database, which may
be deleted, damaged, or used by several builds at once: what cannot be read is computed again. Small
results are read together when the first one is asked for, large ones one by one.
"""

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import cache
from hashlib import blake2b
from typing import Any, TypeVar
from zlib import crc32

from msgspec import DecodeError, ValidationError, msgpack

from batcher_site.unchanged import installed, make_cache_folder

T = TypeVar("T")

FORMAT = 1
_NAME = "memo.sqlite3"
_CHECK_BYTES = 4
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_PATIENCE_SECONDS = 5
_TABLES = ("small", "large")
# How many rows that no build used may lie about before they are thrown away.
_UNUSED_ROWS = 5000


class Memo:
    """
    Remembers results by key; without a `folder` for this process only.

    A key names its function and has a digest of its inputs. A value is anything that msgpack can
    hold; what does not decode as the kind that is asked for was not remembered.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._decoders: dict[Any, msgpack.Decoder[Any]] = {}
        self._encoder = msgpack.Encoder(enc_hook=str)  # Markup is text
        self._small: dict[bytes, bytes] | None = None if folder else {}
        # What a process that builds again has decoded before; all values are frozen.
        self._values: dict[bytes, tuple[Any, Any]] = {}
        self._new: dict[str, dict[bytes, bytes]] = {table: {} for table in _TABLES}
        self._used: set[bytes] = set()
        self._reader: tuple[int, sqlite3.Connection | None] = (0, None)

    def key(self, function: str, *inputs: object) -> bytes:
        """Give the key of a result: equal only for equal inputs, in any process of this program."""
        digest = _program().copy()
        digest.update(self._encoder.encode((function, inputs)))
        return digest.digest()

    def get(self, key: bytes, kind: type[T]) -> T | None:
        """Give a small result; None where it is not remembered."""
        known_kind, known = self._values.get(key, (None, None))
        if known_kind == kind:
            self._used.add(key)
            return known  # type: ignore[no-any-return]
        if self._small is None:
            self._small = self._read_all()
        found = self._new["small"].get(key) or self._small.get(key)
        value = self._decoded(key, found, kind)
        if value is not None:
            self._values[key] = (kind, value)
        return value

    def put(self, key: bytes, value: object) -> None:
        """Remember a small result."""
        self._values.pop(key, None)
        self._new["small"][key] = self._checked(key, value)

    def get_large(self, key: bytes, kind: type[T]) -> T | None:
        """Give a large result; None where it is not remembered."""
        found = self._new["large"].get(key)
        if found is None:
            rows = self._rows("SELECT value FROM large WHERE key = ?", (key,))
            found = rows[0][0] if rows else None
        return self._decoded(key, found, kind)

    def put_large(self, key: bytes, value: object) -> None:
        """Remember a large result."""
        self._new["large"][key] = self._checked(key, value)

    def remembered(self, key: bytes, kind: type[T], make: Callable[[], T]) -> T:
        """Give a large result; make and remember it where it is not known."""
        found = self.get_large(key, kind)
        if found is None:
            found = make()
            self.put_large(key, found)
        return found

    def touch(self, key: bytes) -> None:
        """Keep a large result that is still right, and was not needed."""
        self._used.add(key)

    def save(self) -> None:
        """
        Write what is new; raise OSError where the folder cannot be written.

        A database that another build holds for long is left alone: the results are made again.
        """
        if self._folder is None or not any(self._new.values()):
            return
        make_cache_folder(self._folder)
        self._close()
        for attempt in range(2):
            try:
                self._write()
            except sqlite3.Error as error:
                code = error.sqlite_errorcode & 0xFF
                if code in _BUSY:
                    return
                if code not in _DAMAGED or attempt:
                    raise OSError(None, str(error), self._file) from error
                os.unlink(self._file)
            else:
                break
        if self._small is not None:
            self._small |= self._new["small"]
        self._new = {table: {} for table in _TABLES}

    def forget_unused(self) -> None:
        """
        Keep in memory only what was used since the last call.

        A process that builds all day would hold every state of every page.
        """
        if self._small is not None:
            self._small = _only(self._used, self._small)
        self._new = {table: _only(self._used, rows) for table, rows in self._new.items()}
        self._values = _only(self._used, self._values)
        self._used = set()

    @property
    def _file(self) -> str:
        return os.path.join(self._folder or "", _NAME)

    def _checked(self, key: bytes, value: object) -> bytes:
        self._used.add(key)
        packed = self._encoder.encode(value)
        return crc32(key + packed).to_bytes(_CHECK_BYTES, "big") + packed

    def _decoded(self, key: bytes, found: bytes | None, kind: type[T]) -> T | None:
        if not isinstance(found, bytes):
            return None
        check, packed = found[:_CHECK_BYTES], found[_CHECK_BYTES:]
        if crc32(key + packed).to_bytes(_CHECK_BYTES, "big") != check:
            return None  # a flipped bit on the disk
        decoder = self._decoders.get(kind)
        if decoder is None:
            decoder = msgpack.Decoder(kind, dec_hook=_marked_up)
            self._decoders[kind] = decoder
        try:
            value: T = decoder.decode(packed)
        except (DecodeError, ValidationError):
            return None
        self._used.add(key)
        return value

    def _read_all(self) -> dict[bytes, bytes]:
        return dict(self._rows("SELECT key, value FROM small"))

    def _rows(self, query: str, values: tuple[bytes, ...] = ()) -> list[Any]:
        if self._folder is None:
            return []
        process, database = self._reader
        try:
            if database is None or process != os.getpid():
                # A connection does not pass to a copy of the process.
                if not os.path.exists(self._file):
                    return []
                database = _open(self._file)
                self._reader = (os.getpid(), database)
            return database.execute(query, values).fetchall()
        except sqlite3.Error:
            return []  # locked for long, or damaged: nothing is remembered

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        _, database = self._reader
        self._reader = (0, None)
        if database is not None:
            database.close()

    def _write(self) -> None:
        with closing(_open(self._file)) as database, database:
            database.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                database.execute(
                    f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, value BLOB)"
                )
                rows = self._new[table].items()
                insert = f"INSERT OR REPLACE INTO {table} (key, value) VALUES (?, ?)"  # noqa: S608 -- a name of ours
                database.executemany(insert, rows)
            if len(self._small or {}) > 2 * len(self._used) + _UNUSED_ROWS:
                self._throw_away(database)

    def _throw_away(self, database: sqlite3.Connection) -> None:
        database.execute("CREATE TEMP TABLE used (key BLOB PRIMARY KEY)")
        database.executemany("INSERT INTO used VALUES (?)", ((key,) for key in self._used))
        for table in _TABLES:
            database.execute(f"DELETE FROM {table} WHERE key NOT IN (SELECT key FROM used)")  # noqa: S608 -- a name of ours


def _only(used: set[bytes], rows: dict[bytes, T]) -> dict[bytes, T]:
    return {key: value for key, value in rows.items() if key in used}


def _open(file: str) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_PATIENCE_SECONDS, isolation_level=None)
    try:
        # A power cut may damage it, which costs no more than its results.
        database.execute("PRAGMA synchronous = OFF")
    except sqlite3.Error:
        database.close()
        raise
    return database


@cache
def _program() -> blake2b:
    """Digest everything but the inputs that a result depends on: this program and its libraries."""
    digest = blake2b(f"{FORMAT}\n{sys.version}\n".encode(), digest_size=16)
    digest.update("\n".join(installed()).encode("utf-8", "surrogateescape"))
    package = os.path.dirname(os.path.abspath(__file__))
    for name in sorted(os.listdir(package)):
        if name.endswith(".py"):
            with open(os.path.join(package, name), "rb") as file:
                digest.update(name.encode() + b"\0" + file.read())
    return digest


def _marked_up(kind: type[T], value: object) -> T:
    """Finished markup was marked where it was made, before it was remembered."""
    return kind(value)  # type: ignore[call-arg]
