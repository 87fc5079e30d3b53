"""Formats numbers of bytes for people."""


def text_of(size: int) -> str:
    """Returns a text such as "1.5 MB". Units are powers of 1000."""
    if size < 1000:
        return f"{size} bytes"
    number, unit = float(size), ""
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007
        number /= 1000
        if number < 999.95:
            break
    return f"{number:.1f} {unit}"
