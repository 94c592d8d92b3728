"""The key of an event stays off the pages until the event is over."""

from __future__ import annotations

import pytest

from arena_service.access import Viewer
from dashboard.views import slots

KEY = bytes(range(32))


@pytest.mark.parametrize("viewer", [Viewer(), Viewer("anybody")])
def test_the_key_of_an_event_is_shown_when_it_has_ended(viewer: Viewer) -> None:
    assert KEY.hex() in slots.secrets(viewer, True, "promised", KEY)
    before = slots.secrets(viewer, False, "promised", KEY)
    assert KEY.hex() not in before
    assert "promised" in before
