"""
Watches the folders of a site and the theme, and says when a save is over.

One save is many events: a temporary file, a rename, a backup. Whatever an editor does, it is over
when nothing has happened for a moment.
"""

import os
import threading
from collections.abc import Iterable
from time import monotonic

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

QUIET_SECONDS = 0.1
"""How long nothing may happen before a save counts as over."""

_READING = ("opened", "closed_no_write")


class Watcher(FileSystemEventHandler):
    """
    Hears of changes below folders; those that are not there yet are taken up when they come.

    `polls` tells whether the folders are looked through every second, because it was asked for or
    because the system does not tell.
    """

    def __init__(self, root: str, folders: Iterable[str], *, poll: bool) -> None:
        self._root = root
        self._folders = tuple(dict.fromkeys(map(os.path.abspath, folders)))
        self._changed = threading.Event()
        self._latest = monotonic()
        self.polls = poll
        self._observer = PollingObserver() if poll else Observer()
        try:
            self._schedule()
            self._observer.start()
        except OSError:
            # The system's own way has a limit, such as the count of watched folders.
            self.polls = True
            self._observer = PollingObserver()
            self._schedule()
            self._observer.start()
        self._seen = self._present()

    def _present(self) -> tuple[tuple[str, int], ...]:
        """Give the folders that are there with their numbers: one made anew is another one."""
        return tuple(
            (folder, os.stat(folder).st_ino) for folder in self._folders if os.path.isdir(folder)
        )

    def _schedule(self) -> None:
        self._observer.unschedule_all()
        if os.path.isdir(self._root):
            self._observer.schedule(self, self._root, recursive=False)
        for folder, _ in self._present():
            self._observer.schedule(self, folder, recursive=True)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take note of everything but reading."""
        if event.event_type in _READING:
            return
        path = os.path.abspath(os.fsdecode(event.src_path))
        target = os.path.abspath(os.fsdecode(event.dest_path)) if event.dest_path else path
        if any(self._is_ours(place) for place in (path, target)):
            self._latest = monotonic()
            self._changed.set()

    def _is_ours(self, path: str) -> bool:
        return any(path == folder or path.startswith(folder + os.sep) for folder in self._folders)

    def wait(self, seconds: float) -> bool:
        """Wait for a change, at most so long, and for it to be over; tell whether there was one."""
        is_changed = self._changed.wait(seconds)
        if self._present() != self._seen:
            self._seen = self._present()
            self._schedule()
            is_changed = True
        if is_changed:
            while (left := self._latest + QUIET_SECONDS - monotonic()) > 0:
                threading.Event().wait(left)
            self._changed.clear()
        return is_changed

    def close(self) -> None:
        """Stop watching."""
        self._observer.stop()
        self._observer.join()
