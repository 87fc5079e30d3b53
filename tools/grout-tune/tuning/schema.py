"""The tables of a database, and the check whether a database is whole.
grout-compile reads databases, too, and has the same text in
lib/Dialect/TGemm/Transforms/TuningSQLite.cpp."""

import json
import zlib

from tuning import measurement

# This number in the file's header marks a database of grout-tune.
APPLICATION_ID = 0x47725475
VERSION = 1

# A shape has the number of its measurements, so that a lost measurement is
# noticed. The other columns of a measurement only find `line`, which has all
# of its data.
SHAPES = """\
CREATE TABLE shapes (
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  count INTEGER NOT NULL,
  UNIQUE (target, kind, key)
)"""
MEASUREMENTS = """\
CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  shape INTEGER NOT NULL REFERENCES shapes,
  mode TEXT NOT NULL,
  tilings TEXT NOT NULL,
  line TEXT NOT NULL,
  crc32 INTEGER NOT NULL,
  UNIQUE (shape, mode, tilings)
)"""

_ALL = """\
SELECT m.id, m.line, m.crc32, s.target, s.kind, s.key, m.mode, m.tilings
FROM measurements m JOIN shapes s ON m.shape = s.id ORDER BY m.id"""
_MISCOUNTED = """\
SELECT id FROM shapes WHERE count !=
  (SELECT count(*) FROM measurements WHERE shape = shapes.id) LIMIT 1"""


class Damaged(Exception):
    """The message says what is wrong with a database."""


def _value(connection, query):
    return connection.execute(query).fetchone()[0]


def is_new(connection):
    """Returns whether nothing has been written to the database."""
    return not (
        _value(connection, "PRAGMA application_id")
        or _value(connection, "SELECT count(*) FROM sqlite_master")
    )


def create(connection):
    connection.execute(SHAPES)
    connection.execute(MEASUREMENTS)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def find_stranger(connection):
    """Returns why this grout-tune cannot read the file, or None if it can."""
    if _value(connection, "PRAGMA application_id") != APPLICATION_ID:
        return "is a SQLite database of another program"
    version = _value(connection, "PRAGMA user_version")
    if version != VERSION:
        return (
            f"has version {version}, and this grout-tune reads and writes "
            f"{VERSION}"
        )
    return None


def tilings_text(tilings):
    return json.dumps(tilings)


def read_line(number, line, crc):
    """Returns the measurement in a row. Texts are bytes."""
    if not isinstance(line, bytes) or zlib.crc32(line) != crc:
        raise Damaged(f"row {number} is not what was written")
    try:
        return measurement.parse(line)
    except ValueError as error:
        raise Damaged(f"row {number} {error}") from error


def _check_rows(connection):
    for number, text, crc, *columns in connection.execute(_ALL):
        line = read_line(number, text, crc)
        if columns != [
            line[name].encode() for name in ("target", "kind", "key", "mode")
        ] + [tilings_text(line["tilings"]).encode()]:
            raise Damaged(f"row {number} is not where it belongs")


def check(connection):
    """Raises Damaged unless all data are as they were written."""
    tables = {
        name.decode(): text and text.decode(errors="replace")
        for name, text in connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        )
    }
    if (
        _value(connection, "PRAGMA encoding") != b"UTF-8"
        or tables.get("shapes") != SHAPES
        or tables.get("measurements") != MEASUREMENTS
    ):
        raise Damaged("its tables are not those of grout-tune")
    problem = _value(connection, "PRAGMA integrity_check(1)").decode(
        errors="replace"
    )
    if problem != "ok":
        raise Damaged(problem)
    _check_rows(connection)
    if shape := connection.execute(_MISCOUNTED).fetchone():
        raise Damaged(f"measurements of shape {shape[0]} are missing")
