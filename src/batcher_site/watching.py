"""
Watches the folders of a site and the theme, and says when a save is over.

What counts is the listing of the folders: one save is many events (a temporary file, a rename, a
backup), some disks tell of none (network drives, some containers), and links lead where nobody
listens. What the system tells only says when to look; without a word from it, every second.
"""

import os
import threading
import time
from collections.abc import Iterable

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from batcher_site.unchanged import is_settled, listing

QUIET_SECONDS = 0.1
"""How long nothing may happen before a save counts as over."""

_LOOK_SECONDS = 1
# A program that writes without a pause must not keep its pages from being seen.
_LONGEST_SAVE_SECONDS = 2
_READING = ("opened", "closed_no_write")


class Watcher(FileSystemEventHandler):
    """
    Tells of changes since it was made.

    `is_told` tells whether the system says when to look, in all folders that are there.
    """

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(dict.fromkeys(map(os.path.abspath, folders)))
        self._rung = threading.Event()
        self._observer = Observer()
        self._watched: dict[str, int] | None = None
        self._seen, _ = listing(self._folders)
        self.is_told = False

    def listen(self) -> None:
        """Let the system tell when to look; it needs threads of its own."""
        self._observer.start()
        self._watch()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take note of everything but reading."""
        if event.event_type not in _READING:
            self._rung.set()

    def wait(self) -> bool:
        """Wait for a change to come and be over, a second at most; tell whether there was one."""
        is_rung = self._rung.wait(_LOOK_SECONDS)
        until = time.monotonic() + _LONGEST_SAVE_SECONDS
        if is_rung:
            self._rest(until)
        before = self._seen
        self._seen, changed = listing(self._folders)
        if self._watched is not None and self._watched != _present(self._folders):
            self._watch()
        if self._seen == before:
            # On coarse disks a listing can be the same although something has changed.
            now = time.time_ns()
            return is_rung and not all(is_settled(moment, now) for moment in changed)
        # What has rung may have been something else, and this save be under way.
        while not _is_over(changed) and time.monotonic() < until:
            self._rest(until)
            now_seen, changed = listing(self._folders)
            if now_seen == self._seen:
                break
            self._seen = now_seen
        return True

    def _rest(self, until: float) -> None:
        """Wait until nothing has rung for a moment."""
        self._rung.clear()
        while time.monotonic() < until and self._rung.wait(QUIET_SECONDS):
            self._rung.clear()

    def _watch(self) -> None:
        """Listen in the folders that are there; one that was made anew is another one."""
        self._observer.unschedule_all()
        self._watched = _present(self._folders)
        self.is_told = True
        for folder in self._watched:
            try:
                self._observer.schedule(self, folder, recursive=True)
            except OSError:
                # It has just gone, or there are too many to listen in: looking will do.
                self.is_told = False

    def close(self) -> None:
        """Stop watching."""
        if self._observer.is_alive():
            self._observer.stop()
            self._observer.join()


def _is_over(changed: Iterable[int]) -> bool:
    """Tell whether the latest change lies far enough back; one in the future tells nothing."""
    return time.time_ns() - max(changed, default=0) >= QUIET_SECONDS * 1e9


def _present(folders: Iterable[str]) -> dict[str, int]:
    """Give the numbers of the folders that are there."""
    found = {}
    for folder in folders:
        try:
            found[folder] = os.stat(folder).st_ino
        except OSError:
            continue  # it may come
    return found
