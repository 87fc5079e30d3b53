"""The database of measurements: a SQLite file, which several processes may
read and write at once. Its journal is the default journal, not a write-ahead
log. So except during an addition, one file has all data. You can copy this
file, and read it where nothing can be written."""

import contextlib
import sqlite3

from errors import UserError

from tuning import schema
from tuning.records import Records, of_json_lines

_MAGIC = b"SQLite format 3\0"


def is_database(path):
    """Returns whether a file begins like a SQLite database. JSON lines do not.
    Returns whether a file begins like a SQLite database. JSON lines do not."""
    with open(path, "rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


class Database(Records):
    """The measurements in the file at `path`. The first addition creates the
    file. If the file is damaged, or is not a database of grout-tune, it is
    refused and does not change."""

    def __init__(self, path):
        super().__init__(path)
        if path.exists() and path.stat().st_size:
            if not is_database(path):
                raise UserError(
                    f"{path} is no database of grout-tune; if it has JSON "
                    "lines, `grout-tune import` makes a database of them"
                )
            self._open("rw")

    def _open(self, mode):
        with self.naming():
            self.connect(f"{self.path.absolute().as_uri()}?mode={mode}")
            # Additions survive a power failure.
            self._connection.execute("PRAGMA synchronous = EXTRA")
            if not schema.is_new(self._connection):
                self._check()

    def _refuse_stranger(self):
        if problem := schema.find_stranger(self._connection):
            raise UserError(f"{self.path} {problem}")

    def _check(self):
        self._refuse_stranger()
        # Other processes may write meanwhile.
        self._connection.execute("BEGIN")
        try:
            schema.check(self._connection)
        finally:
            self._connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def _transaction(self):
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # If even this fails, the next process that opens the file rolls
            # back.
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def add(self, lines):
        """Adds all measurements, or, if this raises, none."""
        if not self._connection:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open("rwc")
        with self.naming(), self._transaction():
            if schema.is_new(self._connection):
                schema.create(self._connection)
            self._refuse_stranger()
            self.insert(lines)


def read(path):
    """Returns the measurements in an existing file, which is a database or has
    JSON lines."""
    if not path.exists():
        raise UserError(f"there is no file {path}")
    records = Database(path) if is_database(path) else of_json_lines(path)
    if not records.cases():
        raise UserError(f"{path} has no measurements")
    return records
