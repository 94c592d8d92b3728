"""The check values that any language has to reach."""

from engine_service.core import seeds
from engine_service.core.seeds import Stream

KEY = bytes(32)
NOBODY = "0" * 64


def test_the_first_number_of_the_stream_of_zeros() -> None:
    assert Stream(bytes(32), "claim/deck").word() == 0xC76BBCB058548E82


def test_a_stream_goes_on_over_its_blocks_and_repeats_itself() -> None:
    one, other = Stream(b"x" * 32, "a"), Stream(b"x" * 32, "a")
    numbers = [one.word() for _ in range(100)]
    assert numbers == [other.word() for _ in range(100)]
    assert len(set(numbers)) == 100


def test_labels_give_unlike_streams() -> None:
    assert Stream(bytes(32), "a").word() != Stream(bytes(32), "b").word()


def test_below_drops_numbers_that_would_favour_the_small() -> None:
    class Scripted(Stream):
        words = iter([2**64 - 1, 2**64 - 2, 7])

        def word(self) -> int:
            return next(self.words)

    # 2^64 mod 3 is 1: only the very last number is dropped.
    stream = Scripted(bytes(32), "a")
    assert stream.below(3) == (2**64 - 2) % 3
    assert stream.below(3) == 1


def test_shuffle_keeps_the_items() -> None:
    items = list(range(52))
    Stream(bytes(32), "a").shuffle(items)
    assert items != list(range(52))
    assert sorted(items) == list(range(52))


def test_commitment() -> None:
    assert (
        seeds.commitment(KEY) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


def test_deal_seed() -> None:
    assert (
        seeds.deal_seed(KEY, "e1", NOBODY, 0).hex()
        == "f8fbc58378e5ba6fb8c83d6d9c1b9c8204aeaa4977869ee35f1f95ff929fb84b"
    )


def test_a_further_attempt_has_a_deal_of_its_own() -> None:
    deals = [seeds.deal_seed(KEY, "e1", NOBODY, 0, attempt) for attempt in (None, 1, 2)]
    assert len(set(deals)) == 3


def test_bot_seed() -> None:
    assert seeds.bot_seed(KEY, "e1", NOBODY, 0, 0, 1) == "d16bf68fbb7afa1fa916fbd8967e33d2"


def test_draw_seed() -> None:
    assert (
        seeds.draw_seed(KEY, "e1", NOBODY, "seats").hex()
        == "6f1c4ea273b39bfb6a66a399bdb15fb96b6c4e3567e67eb3f8a3e866dd30d025"
    )


def test_entrants_digest_in_any_order() -> None:
    entrants = [("author-1/y", "a" * 64), ("author-2/x", "b" * 64)]
    expected = "f90ad9b4579edc4b253a576d62b67b3499da8245595727f308b26e61017a234c"
    assert seeds.entrants_digest(entrants) == expected
    assert seeds.entrants_digest(reversed(entrants)) == expected
