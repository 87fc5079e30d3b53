"""Measurements in the tables of schema.py."""

import collections
import contextlib
import itertools
import sqlite3
import zlib

from errors import UserError

from tuning import json_lines, measurement, schema

# A writer waits this long for other writers, which take milliseconds.
_BUSY_SECONDS = 60

_FIND_SHAPE = "SELECT id FROM shapes WHERE target = ? AND kind = ? AND key = ?"
_ADD_SHAPE = "INSERT INTO shapes (target, kind, key, count) VALUES (?, ?, ?, 0)"
# A new measurement replaces an old one.
_ADD = """\
INSERT INTO measurements (shape, mode, tilings, line, crc32)
VALUES (?, ?, ?, ?, ?) ON CONFLICT (shape, mode, tilings)
DO UPDATE SET line = excluded.line, crc32 = excluded.crc32"""
_COUNT = """\
UPDATE shapes SET count =
  (SELECT count(*) FROM measurements WHERE shape = shapes.id) WHERE id = ?"""
_LINES = """\
SELECT m.id, m.line, m.crc32
FROM measurements m JOIN shapes s ON m.shape = s.id"""
_OF_SHAPE = (
    f"{_LINES} WHERE s.target = ? AND s.kind = ? AND s.key = ? ORDER BY m.id"
)
_SORTED = f"{_LINES} ORDER BY s.target, s.kind, s.key, m.mode, m.tilings"
_CASES = "SELECT target, kind, key FROM shapes ORDER BY id"


def case_of(line):
    return line["target"], line["kind"], line["key"]


class Records:
    """The measurements in the file at `path`."""

    def __init__(self, path):
        self.path = path
        # None until there is a file.
        self._connection = None

    def connect(self, uri):
        """Opens the database at `uri`."""
        self._connection = sqlite3.connect(
            uri, timeout=_BUSY_SECONDS, isolation_level=None, uri=True
        )
        self._connection.text_factory = bytes

    @contextlib.contextmanager
    def naming(self):
        """Turns SQLite's errors into messages that name the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise UserError(
                f"cannot read or write {self.path}: {error}"
            ) from error
        # SQLite's messages may quote bytes that are not UTF-8.
        except (
            sqlite3.DatabaseError,
            UnicodeDecodeError,
            schema.Damaged,
        ) as error:
            raise UserError(
                f"{self.path} is damaged, and left as it is: "
                f"{error}; name another file, or import a "
                "copy"
            ) from error

    def insert(self, lines):
        for case, of_case in itertools.groupby(lines, case_of):
            self._insert_case(case, of_case)

    def _insert_case(self, case, lines):
        execute = self._connection.execute
        found = execute(_FIND_SHAPE, case).fetchone()
        shape = found[0] if found else execute(_ADD_SHAPE, case).lastrowid
        for line in lines:
            measurement.check(line)
            text = measurement.to_text(line)
            execute(
                _ADD,
                (
                    shape,
                    line["mode"],
                    schema.tilings_text(line["tilings"]),
                    text,
                    zlib.crc32(text.encode()),
                ),
            )
        execute(_COUNT, (shape,))

    def _read(self, query, *parameters):
        with self.naming():
            if not self._connection or schema.is_new(self._connection):
                return []
            return self._connection.execute(query, parameters).fetchall()

    def _read_lines(self, query, *parameters):
        rows = self._read(query, *parameters)
        with self.naming():
            return [schema.read_line(*row) for row in rows]

    def sorted_lines(self):
        """Returns all measurements, in an order that does not depend on the
        order in which they were added."""
        return self._read_lines(_SORTED)

    def cases(self):
        """Returns (target, kind, key) of all cases, in order."""
        return [
            tuple(text.decode() for text in row) for row in self._read(_CASES)
        ]

    def lines(self, target, kind, key):
        return self._read_lines(_OF_SHAPE, target, kind, key)

    def modes(self, target, kind, key):
        """Returns the modes that have been measured."""
        return {line["mode"] for line in self.lines(target, kind, key)}

    def origins(self):
        """Returns how many cases have times of each (GPU, driver), and how
        many cases have times of several, which do not compare."""
        found = collections.defaultdict(set)
        for line in self.sorted_lines():
            found[case_of(line)].add((line.get("device"), line.get("driver")))
        return (
            collections.Counter(itertools.chain(*found.values())),
            sum(len(origins) > 1 for origins in found.values()),
        )

    def times(self, target, key):
        """Returns the microseconds of a product for each measured tiling."""
        return {
            line["tilings"][0]: line["us"]
            for line in self.lines(target, "product", key)
        }


def of_json_lines(path):
    """Returns the measurements of a file of JSON lines, as a copy in memory.
    Returns the measurements of a file of JSON lines, as a copy in memory."""
    records = Records(path)
    records.connect("file::memory:")
    schema.create(records._connection)
    records.insert(json_lines.read(path))
    return records
