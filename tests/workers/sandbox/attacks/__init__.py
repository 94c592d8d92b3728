"""The attacks, as data: what a bot tries and how it must end; run without any test library."""

from __future__ import annotations

from tests.workers.sandbox.attacks import calls, endings, files, others, resources

ATTACKS = {
    attack.name: attack
    for attack in [
        *others.ATTACKS,
        *files.ATTACKS,
        *calls.ATTACKS,
        *resources.ATTACKS,
        *endings.ATTACKS,
    ]
}
