"""What a `bot.toml` may say, and how a wrong one is refused."""

from pathlib import Path

import pytest

from bots.manifest import Manifest, ManifestError, load, parse

GOOD = {"name": '"greedy-2"', "games": '["claim"]', "run": '["python3", "main.py"]'}
BASELINES = Path(__file__).parents[2] / "bots" / "baselines"


def manifest(**changes: str) -> bytes:
    """A good manifest with some fields changed; an empty text leaves the field out."""
    fields = {**GOOD, **changes}
    return "\n".join(f"{name} = {text}" for name, text in fields.items() if text).encode()


def test_a_manifest_is_read_with_json_as_default_protocol() -> None:
    expected = Manifest("greedy-2", ("claim",), ("python3", "main.py"), "json")
    assert parse(manifest()) == parse(manifest(protocol='"json"')) == expected


@pytest.mark.parametrize("protocol", ["text", "protobuf"])
def test_a_planned_protocol_is_refused_by_its_name(protocol: str) -> None:
    with pytest.raises(ManifestError, match=f'"{protocol}" is not built yet') as caught:
        parse(manifest(protocol=f'"{protocol}"'))
    assert caught.value.field == "protocol"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("name", ""),
        ("name", "7"),
        ("name", '"Greedy"'),
        ("name", '"-greedy"'),
        ("name", '"greedy\\n"'),
        ("name", '""'),
        ("name", f'"{"a" * 41}"'),
        ("games", ""),
        ("games", "[]"),
        ("games", '"claim"'),
        ("games", "[1]"),
        ("run", '[""]'),
        ("run", '["a\\u0000b"]'),
        ("run", "[[]]"),
        ("protocol", '"xml"'),
        ("protocol", "1"),
        ("protocol", "[]"),
        ("color", '"red"'),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(field: str, text: str) -> None:
    with pytest.raises(ManifestError) as caught:
        parse(manifest(**{field: text}))
    assert caught.value.field == field
    assert caught.value.expected in str(caught.value)


@pytest.mark.parametrize("content", [b"name = ", b"\xff", b"a = " + b"[" * 5000])
def test_what_is_no_toml_is_refused(content: bytes) -> None:
    with pytest.raises(ManifestError) as caught:
        parse(content)
    assert caught.value.field == "file"


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"bot\.toml"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["random", "first-legal", "greedy", "highest"])
def test_every_baseline_has_its_manifest(name: str) -> None:
    assert load(BASELINES / name.replace("-", "_")).name == name
