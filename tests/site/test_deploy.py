"""Publishing as a branch, against real repositories: what is pushed, refused, and left alone."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from batcher_site import deploy
from batcher_site.build import Options
from batcher_site.deploy import Release, Target, aim, prepare, push
from batcher_site.errors import DeployError, UsageError
from batcher_site.model import Selection
from tests.conftest import SETTINGS, TODAY
from tests.site.console import Batcher

URL = "url: https://me.example/portfolio/\n"
PROJECT = "---\ntitle: Paged\nsummary: It pages.\n---\nHello.\n"
DRAFT = "---\ntitle: Canarydraft\nsummary: x\ndraft: true\n---\n"


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=check
    )
    return done.stdout.strip()


class Desk:
    """A repository that a site lies in, with work that is not committed, and its remote."""

    def __init__(self, folder: Path) -> None:
        self.site = folder / "site"
        self.remote = folder / "remote.git"
        git(folder, "init", "--quiet", "--bare", str(self.remote))
        git(self.site, "init", "--quiet", "--initial-branch=main")
        for key, value in (("name", "Ada"), ("email", "ada@me.example"), ("useConfigOnly", "true")):
            git(self.site, "config", f"user.{key}", value)
        git(self.site, "remote", "add", "origin", str(self.remote))
        git(self.site, "add", ".")
        git(self.site, "commit", "--quiet", "-m", "Write")
        (self.site / "stashed.txt").write_text("stashed")
        git(self.site, "add", "stashed.txt")
        git(self.site, "stash", "--quiet")
        (self.site / "staged.txt").write_text("staged")
        git(self.site, "add", "staged.txt")
        (self.site / "content/projects/paged.md").write_text(PROJECT + "Not committed.\n")

    @property
    def target(self) -> Target:
        return aim(str(self.site), "origin", deploy.BRANCH)

    def prepared(self, target: Target | None = None) -> Release:
        options = Options(source=str(self.site), selection=Selection(now=TODAY))
        return prepare(options, target or self.target)

    def state(self) -> tuple[str, ...]:
        """Everything of the owner's that a deployment could touch."""
        commands = (
            ("status", "--porcelain"),
            ("stash", "list"),
            ("for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
            ("diff", "--cached"),
            ("symbolic-ref", "HEAD"),
        )
        return tuple(git(self.site, *command) for command in commands)

    def published(self) -> dict[str, str]:
        names = git(self.remote, "ls-tree", "-r", "--name-only", deploy.BRANCH).splitlines()
        return {name: git(self.remote, "rev-parse", f"{deploy.BRANCH}:{name}") for name in names}

    def read(self, name: str) -> str:
        return git(self.remote, "show", f"{deploy.BRANCH}:{name}")


@pytest.fixture
def desk(site: Callable[..., Path], tmp_path: Path) -> Desk:
    site(
        {
            "content/site.yaml": SETTINGS + URL,
            "content/projects/paged.md": PROJECT,
            "content/projects/hidden.md": DRAFT,
            ".gitignore": "dist/\n*.html\n",
            ".gitattributes": "* text eol=crlf\n",
        }
    )
    return Desk(tmp_path)


def test_the_branch_gets_a_clean_build_and_nothing_else_is_touched(desk: Desk) -> None:
    """Ignored names and filters of the repository change nothing of what is published."""
    before = desk.state()
    push(desk.prepared())
    assert desk.state() == before
    assert "Not committed." in desk.read("projects/paged/index.html")
    published = desk.published()
    assert {"index.html", ".nojekyll", ".batcher-manifest.json", "feed.xml"} <= published.keys()
    assert not any("Canarydraft" in desk.read(name) for name in published if name.endswith("l"))
    assert "\r" not in desk.read("index.html")


def test_a_second_deployment_adds_a_commit_with_what_differs(desk: Desk) -> None:
    push(desk.prepared())
    assert desk.prepared().commit is None
    (desk.site / "content/projects/paged.md").write_text(PROJECT + "Again.\n")
    release = desk.prepared()
    assert release.changes == ("M projects/paged/index.html",)
    push(release)
    assert git(desk.remote, "rev-list", "--count", deploy.BRANCH) == "2"


def test_a_domain_that_was_set_at_the_host_is_kept(desk: Desk) -> None:
    push(desk.prepared())
    clone = desk.site.parent / "clone"
    git(desk.remote.parent, "clone", "--quiet", "-b", deploy.BRANCH, str(desk.remote), str(clone))
    (clone / "CNAME").write_text("www.me.example\n")
    git(clone, "add", "CNAME")
    git(clone, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "Domain")
    git(clone, "push", "--quiet")
    (desk.site / "content/projects/paged.md").write_text(PROJECT + "Again.\n")
    push(desk.prepared())
    assert desk.read("CNAME") == "www.me.example"


def test_a_branch_that_moves_on_meanwhile_is_not_overwritten(desk: Desk) -> None:
    push(desk.prepared())
    target = desk.target
    (desk.site / "content/projects/paged.md").write_text(PROJECT + "Mine.\n")
    mine = desk.prepared(target)
    (desk.site / "content/projects/paged.md").write_text(PROJECT + "Theirs.\n")
    push(desk.prepared(target))
    with pytest.raises(DeployError, match="has moved on meanwhile"):
        push(mine)
    assert "Theirs." in desk.read("projects/paged/index.html")


def test_a_remote_that_refuses_is_told_with_its_words(desk: Desk) -> None:
    hook = desk.remote / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho no deployments on Fridays >&2\nexit 1\n")
    hook.chmod(0o755)
    before = desk.state()
    with pytest.raises(DeployError, match="no deployments on Fridays"):
        push(desk.prepared())
    assert desk.state() == before
    assert git(desk.remote, "for-each-ref") == ""


def test_a_remote_that_cannot_be_read_is_told_without_its_password(desk: Desk) -> None:
    git(desk.site, "remote", "set-url", "origin", "https://ada:CANARY@127.0.0.1:9/x.git")
    with pytest.raises(DeployError) as caught:
        aim(str(desk.site), "origin", deploy.BRANCH)
    assert "127.0.0.1" in str(caught.value)
    assert "CANARY" not in str(caught.value)


def test_a_branch_of_somebody_else_s_is_not_ours(desk: Desk) -> None:
    git(desk.site, "push", "--quiet", "origin", f"main:{deploy.BRANCH}")
    assert not desk.target.is_ours
    assert desk.target.tip
    push(desk.prepared())
    assert desk.target.is_ours


def test_a_remote_with_an_address_of_its_own_for_pushes_is_judged_by_that(desk: Desk) -> None:
    other = desk.site.parent / "other.git"
    git(desk.site, "init", "--quiet", "--bare", str(other))
    git(desk.site, "remote", "set-url", "--push", "origin", str(other))
    push(desk.prepared())
    assert git(desk.remote, "for-each-ref") == ""
    assert desk.target.is_ours
    assert desk.prepared().commit is None


def test_where_there_is_nothing_to_deploy_to_is_told(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in no git repository"):
        aim(str(tmp_path), "origin", deploy.BRANCH)
    with pytest.raises(UsageError, match='no remote "nowhere"'):
        aim(str(desk.site), "nowhere", deploy.BRANCH)
    with pytest.raises(UsageError, match="the branch that you are working on"):
        aim(str(desk.site), "origin", "main")


def test_a_site_without_an_address_is_not_deployed(desk: Desk) -> None:
    (desk.site / "content/site.yaml").write_text(SETTINGS)
    with pytest.raises(UsageError, match="has no address"):
        desk.prepared()


# --- the command --------------------------------------------------------------------------------


def test_the_command_asks_before_it_makes_a_branch(desk: Desk, batcher: Batcher) -> None:
    answer = batcher("deploy", "--source", desk.site)
    assert answer.code == 2
    assert "gh-pages of " in answer.err
    assert "does not exist yet" in answer.err
    assert git(desk.remote, "for-each-ref") == ""
    assert batcher("deploy", "--source", desk.site, "--yes").code == 0
    again = batcher("deploy", "--source", desk.site)
    assert (again.code, "has this already" in again.out) == (0, True)


def test_a_dry_run_says_what_would_change_and_changes_nothing(desk: Desk, batcher: Batcher) -> None:
    before = desk.state()
    answer = batcher("deploy", "--source", desk.site, "--dry-run")
    assert answer.code == 0
    assert "A index.html" in answer.out.splitlines()
    assert "would change in gh-pages of " in answer.out
    assert git(desk.remote, "for-each-ref") == ""
    assert desk.state() == before


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.15, 0.35, 0.5, 0.65, 0.8])
def test_a_kill_at_any_time_leaves_the_branch_old_or_new(desk: Desk, delay: float) -> None:
    push(desk.prepared())
    old = desk.published()
    (desk.site / "content/projects/paged.md").write_text(PROJECT + "Again.\n")
    before = desk.state()
    command = [sys.executable, "-m", "batcher_site", "deploy", "--source", str(desk.site)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=os.environ,
    )
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert desk.state() == before
    found = desk.published()
    release = desk.prepared()
    if found != old:
        assert release.commit is None
    else:
        assert release.changes == ("M projects/paged/index.html",)
    push(release)
    assert "Again." in desk.read("projects/paged/index.html")
