"""The built wheel, in a clean environment outside the repository, makes and builds a site."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from batcher_site import __version__

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "src" / "batcher_site" / "starter"


@dataclass(frozen=True)
class Installed:
    """A virtual environment that has the wheel, and a folder far from the repository."""

    bin: Path
    interpreter: Path
    folder: Path

    def batcher(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the installed command in that folder."""
        return subprocess.run(
            [self.bin / "batcher", *arguments],
            cwd=self.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def clean_environment() -> dict[str, str]:
    """What a command sees when nothing points it at the repository."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """
    Install the wheel into a new environment without the network.

    Its dependencies are those of the running interpreter, reached as plain folders: the path
    configuration files there are not read, so an editable install of the repository is not seen.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    windows = os.name == "nt"
    scripts = environment / ("Scripts" if windows else "bin")
    interpreter = scripts / ("python.exe" if windows else "python")
    command = [sys.executable, "-m", "pip", "--python", str(interpreter), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, *options, str(wheel)], check=True, env=clean_environment())
    site_packages = subprocess.run(
        [interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site_packages, "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n")
    work = folder / "work"
    work.mkdir()
    return Installed(scripts, interpreter, work)


def test_the_wheel_has_the_theme_and_the_starter(wheel: Path) -> None:
    """Every template, static file and starter file, and nothing of the tests or the content."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for top in ("templates", "static"):
        for path in (ROOT / top).rglob("*"):
            if path.is_file():
                assert f"batcher_site/theme/{path.relative_to(ROOT).as_posix()}" in names
    for path in STARTER.rglob("*"):
        if path.is_file():
            assert f"batcher_site/starter/{path.relative_to(STARTER).as_posix()}" in names
    outside = {name for name in names if not name.startswith(("batcher_site", "batcher_site-"))}
    assert outside == set()
    assert not [name for name in names if "vraj" in name.lower() or "/tests/" in name]


def test_the_wheel_runs_without_the_repository(installed: Installed) -> None:
    program = "import batcher_site; print(batcher_site.__file__)"
    answer = subprocess.run(
        [installed.interpreter, "-c", program],
        cwd=installed.folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(answer.stdout.strip()).is_relative_to(installed.bin.parent)
    version = installed.batcher("--version")
    assert (version.returncode, version.stdout) == (0, f"batcher {__version__}\n")


def test_a_new_site_is_made_and_built(installed: Installed) -> None:
    made = installed.batcher("new", "my site")
    assert made.returncode == 0, made.stderr
    built = installed.batcher("build", "--source", "my site", "--base-url", "https://me.test/x/")
    assert built.returncode == 0, built.stderr
    assert built.stderr == ""
    dist = installed.folder / "my site" / "dist"
    home = (dist / "index.html").read_text(encoding="utf-8")
    assert "<batch-simulation" in home
    assert 'href="/x/projects/example-project/"' in home
    assert (dist / "projects/example-project/index.html").is_file()
    checked = installed.batcher("check", "--source", "my site")
    assert checked.returncode == 0, checked.stderr
    again = installed.batcher("build", "--source", "my site", "--base-url", "https://me.test/x/")
    assert " 0 files written, 0 removed" in again.stdout


def test_the_installed_command_simulates(installed: Installed) -> None:
    workload = installed.folder / "workload.json"
    workload.write_text('{"requests": [{"id": "a", "prompt": 3, "output": 2, "arrival": 0}]}')
    answer = installed.batcher("simulate", "workload.json")
    assert answer.returncode == 0, answer.stderr
    assert '"iterations":2' in answer.stdout
