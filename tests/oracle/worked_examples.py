"""
Runs worked out by hand from the specification, for a rule that no recorded trace decides.

Both are about section 3.2 under a ranked policy, where a victim has been planned already and a
prefill is in progress: about one random workload in 20,000 comes there. Each is a trace with the
fields that were worked out, `scheduled` and `preempted` of every iteration.
"""

from typing import Any

_CONFIG = {"block_size": 1, "policy": "priority"}

# t=3: a has the last free block when b's second chunk needs one, so a's token goes back to the
# budget; b's chunk was cut to 1 token before, and stays so.
_CHUNK_STAYS = {
    "config": {**_CONFIG, "slots": 2, "budget": 2, "blocks": 6},
    "requests": [
        {"id": "a", "prompt": 1, "output": 6, "arrival": 0, "priority": 2},
        {"id": "b", "prompt": 4, "output": 1, "arrival": 1, "priority": 1},
    ],
    "iterations": [
        {"scheduled": [["a", 1]], "preempted": []},
        {"scheduled": [["a", 1], ["b", 1]], "preempted": []},
        {"scheduled": [["a", 1], ["b", 1]], "preempted": []},
        {"scheduled": [["b", 1]], "preempted": ["a"]},
        {"scheduled": [["b", 1]], "preempted": []},
        {"scheduled": [["a", 2]], "preempted": []},
        {"scheduled": [["a", 2]], "preempted": []},
        {"scheduled": [["a", 1]], "preempted": []},
        {"scheduled": [["a", 1]], "preempted": []},
    ],
}

# t=4: a takes the last free block, b throws it out, and c's chunk gets the token that a had.
_TOKENS_COME_BACK = {
    "config": {**_CONFIG, "slots": 3, "budget": 3, "blocks": 10},
    "requests": [
        {"id": "a", "prompt": 1, "output": 8, "arrival": 0, "priority": 2},
        {"id": "b", "prompt": 1, "output": 6, "arrival": 1, "priority": 1},
        {"id": "c", "prompt": 5, "output": 1, "arrival": 2, "priority": 0},
    ],
    "iterations": [
        {"scheduled": [["a", 1]], "preempted": []},
        {"scheduled": [["a", 1], ["b", 1]], "preempted": []},
        {"scheduled": [["a", 1], ["b", 1], ["c", 1]], "preempted": []},
        {"scheduled": [["a", 1], ["b", 1], ["c", 1]], "preempted": []},
        {"scheduled": [["b", 1], ["c", 2]], "preempted": ["a"]},
        {"scheduled": [["b", 1], ["c", 1]], "preempted": []},
        {"scheduled": [["b", 1]], "preempted": []},
        {"scheduled": [["a", 3]], "preempted": []},
        {"scheduled": [["a", 2]], "preempted": []},
        {"scheduled": [["a", 1]], "preempted": []},
        {"scheduled": [["a", 1]], "preempted": []},
        {"scheduled": [["a", 1]], "preempted": []},
    ],
}

WORKED_EXAMPLES: dict[str, dict[str, Any]] = {
    "a chunk stays as it was cut when a victim gives its tokens back": _CHUNK_STAYS,
    "the tokens of a victim go to those behind": _TOKENS_COME_BACK,
}
