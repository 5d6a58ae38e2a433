"""A folder as the values that tests compare."""

from pathlib import Path


def files_below(folder: Path) -> dict[str, bytes]:
    """Give every file below a folder, links not followed, by its path with "/" between."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
