"""
Publishes a site as a branch of a git repository, for hosts that serve one.

A clean build goes into a fresh folder, and from there into the repository's objects by git's own
plumbing, with an index of its own: the working tree, the index, the stash and the local branches
are never touched. The branch is pushed plainly, never by force, and read back.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from batcher_site import output
from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.errors import DeployError, UsageError

BRANCH = "gh-pages"
REMOTE = "origin"

_DOMAIN_FILE = "CNAME"
_MODE = "100644"
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")
_NO_COMMIT = "0" * 40


class Target(Struct, frozen=True):
    """
    Where a site goes: the repository around `source`, where it is pushed to, and a branch there.

    `remote` is the whole address for git, `address` the same without user and password, `tip` the
    commit that the branch has, None where there is no such branch, and `is_ours` whether that was
    written by us.
    """

    source: str
    remote: str
    address: str
    branch: str
    tip: str | None
    is_ours: bool


class Release(Struct, frozen=True):
    """
    A commit that is ready to be pushed; `changes` are the files that differ from the branch.

    `commit` is None where the branch has exactly this already.
    """

    target: Target
    commit: str | None
    changes: tuple[str, ...]


def aim(source: str, remote: str, branch: str) -> Target:
    """
    Look at the remote, without changing anything.

    Raises UsageError where there is no repository or remote, or the branch is the one being worked
    on, and DeployError where the remote cannot be read.
    """
    try:
        inside = _git(source, "rev-parse", "--is-inside-work-tree").strip()
    except DeployError:
        inside = ""
    if inside != "true":
        raise UsageError(
            f"{source} is in no git repository",
            hint="deploy pushes a branch of the repository that the site lies in",
        )
    if _git(source, "rev-parse", "--symbolic-full-name", "HEAD").strip() == f"refs/heads/{branch}":
        raise UsageError(
            f"{branch} is the branch that you are working on",
            hint="give the branch of the built site with --branch",
        )
    try:
        address = _git(source, "remote", "get-url", "--push", remote).strip()
    except DeployError as error:
        raise UsageError(
            f'there is no remote "{remote}"', hint="give one with --remote; git remote lists them"
        ) from error
    tip = _tip(source, address, branch)
    if tip:
        _git(source, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", address, tip)
    is_ours = bool(tip and _has(source, tip, output.MANIFEST))
    return Target(source, address, _SECRET.sub("", address), branch, tip, is_ours)


def _tip(source: str, remote: str, branch: str) -> str | None:
    found = _git(source, "ls-remote", "--heads", remote, f"refs/heads/{branch}").split()
    return found[0] if found else None


def _has(source: str, commit: str, path: str) -> bool:
    return bool(_git(source, "ls-tree", "--name-only", commit, "--", path).strip())


def prepare(options: Options, target: Target) -> Release:
    """
    Build the site anew, and make a commit of it that nothing points to yet.

    Raises UsageError for a site without an address, SiteError or SiteErrors for its faults.
    """
    site = render_site(options)
    if not site.has_address:
        raise UsageError(
            "the site has no address, so its links would lead to a stand-in",
            hint="set url in content/site.yaml, or give --base-url",
        )
    with _index() as (folder, index):
        output.commit(site.outputs, folder, site.outputs.digests, ())
        _keep_domain(site, target, folder)
        tree = _tree(target.source, folder, index)
    if target.tip and tree == _git(target.source, "rev-parse", f"{target.tip}^{{tree}}").strip():
        return Release(target, None, ())
    parents = ("-p", target.tip) if target.tip else ()
    message = f"Deploy {site.pages} pages"
    commit = _git(
        target.source, *_author(target.source), "commit-tree", tree, *parents, "-m", message
    )
    return Release(target, commit.strip(), tuple(_changes(target, tree)))


@contextmanager
def _index() -> Iterator[tuple[str, str]]:
    """Give a fresh folder for the site, and the name of an index beside it."""
    with tempfile.TemporaryDirectory(prefix="batcher-") as folder:
        site = os.path.join(folder, "site")
        os.mkdir(site)
        yield site, os.path.join(folder, "index")


def _keep_domain(site: RenderedSite, target: Target, folder: str) -> None:
    """Keep the domain that was set at the host, where the settings name none."""
    if _DOMAIN_FILE in site.outputs or not target.tip:
        return
    if _has(target.source, target.tip, _DOMAIN_FILE):
        domain = _git(target.source, "cat-file", "blob", f"{target.tip}:{_DOMAIN_FILE}")
        with open(os.path.join(folder, _DOMAIN_FILE), "w", encoding="utf-8", newline="") as file:
            file.write(domain)


def _tree(source: str, folder: str, index: str) -> str:
    """Put the files of a folder into the repository as they are, and give their tree."""
    names = sorted(
        os.path.relpath(os.path.join(place, name), folder)
        for place, _, files in os.walk(folder)
        for name in files
    )
    paths = "".join(f"{os.path.join(folder, name)}\n" for name in names)
    # No filter of the repository may change a byte.
    hashes = _git(source, "hash-object", "-w", "--no-filters", "--stdin-paths", given=paths).split()
    listed = "".join(
        f"{_MODE} {digest}\t{name.replace(os.sep, '/')}\n"
        for digest, name in zip(hashes, names, strict=True)
    )
    own = {"GIT_INDEX_FILE": index}
    _git(source, "update-index", "--add", "--index-info", given=listed, more=own)
    return _git(source, "write-tree", more=own).strip()


def _author(source: str) -> tuple[str, ...]:
    """Give a name to commit under, where the machine has none, as in a workflow."""
    try:
        _git(source, "var", "GIT_COMMITTER_IDENT")
    except DeployError:
        return ("-c", "user.name=batcher", "-c", "user.email=batcher@localhost")
    return ()


def _changes(target: Target, tree: str) -> Iterator[str]:
    """Give what differs from the branch, as git's status letters with names."""
    empty = _git(target.source, "hash-object", "-t", "tree", "-w", "--stdin", given="").strip()
    listed = _git(
        target.source,
        *("-c", "core.quotePath=off"),
        *("diff-tree", "-r", "--name-status", "--no-renames", target.tip or empty, tree),
    )
    for line in listed.splitlines():
        letter, _, name = line.partition("\t")
        if name != output.MANIFEST:
            yield f"{letter} {name}"


def push(release: Release) -> None:
    """
    Push a release, and read it back.

    Raises DeployError where the remote refuses or has moved on; then it has what it had.
    """
    target = release.target
    if release.commit is None:
        return
    try:
        _git(
            target.source,
            *("push", "--quiet", target.remote, f"{release.commit}:refs/heads/{target.branch}"),
        )
    except DeployError as error:
        found = _tip(target.source, target.remote, target.branch)
        if found == release.commit:
            return  # it arrived, and only its answer was lost
        if found != target.tip:
            raise DeployError(
                f"{target.branch} has moved on meanwhile: {(found or _NO_COMMIT)[:9]}",
                hint="somebody else has deployed; look at it, and deploy again",
            ) from error
        raise
    found = _tip(target.source, target.remote, target.branch)
    if found != release.commit:
        raise DeployError(
            f"the remote says that {target.branch} is {(found or _NO_COMMIT)[:9]},"
            f" not {release.commit[:9]}",
            hint="look at the branch there",
        )


def _git(
    source: str, *arguments: str, given: str | None = None, more: dict[str, str] | None = None
) -> str:
    """Run git in the repository around `source`; raise DeployError with what it says, no secret."""
    environment = {**os.environ, "LC_ALL": "C", **(more or {})}
    try:
        done = subprocess.run(  # noqa: S603 -- no shell, and every argument is ours or a name
            ["git", "-C", source, *arguments],  # noqa: S607 -- the owner's own git, wherever it is
            input=given,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="surrogateescape",
            env=environment,
        )
    except FileNotFoundError:
        raise UsageError("there is no git", hint="install git, or use the workflow") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line and not line.startswith("hint:")]
        said = _SECRET.sub("", "; ".join(lines)) or f"it ended with {done.returncode}"
        command = next(word for word in arguments if not word.startswith("-") and "=" not in word)
        raise DeployError(f"git {command}: {said}", hint="the branch there is as it was")
    return done.stdout
