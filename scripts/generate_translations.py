"""Bring every translation up to date with the texts of the code; `--check` compares instead.

A new text is added to each .po file with an empty translation, which the tests refuse. The .mo
files that gettext reads are compiled from the .po files and committed with them.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

DASHBOARD = Path(__file__).parents[1] / "dashboard"
HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
#: How many leading arguments of these functions are texts.
FUNCTIONS = {"_": 1, "plural": 2}


def template() -> Catalog:
    """Every text of the code, with the files that hold it."""
    catalogue = Catalog()
    for path in sorted(DASHBOARD.rglob("*.py")):
        for message in texts(path.read_text("utf-8")):
            # Without line numbers: a catalogue changes only when a text does.
            catalogue.add(message, locations=[(str(path.relative_to(DASHBOARD)), 0)])
    return catalogue


def texts(source: str) -> Iterator[str | tuple[str, ...]]:
    """The texts of a module; one that has a plural is a pair.

    Babel's own extraction does not look into f-strings before Python 3.12.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            count = FUNCTIONS.get(node.func.id, 0)
            given = [each.value for each in node.args[:count] if isinstance(each, ast.Constant)]
            if count and len(given) == count:
                yield given[0] if count == 1 else tuple(given)


def translations() -> list[Path]:
    """The .po files, by language."""
    return sorted(DASHBOARD.glob("i18n/locale/*/LC_MESSAGES/interrex.po"))


def read(path: Path) -> Catalog:
    """A translation as it is."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def updated(path: Path, wanted: Catalog) -> bytes:
    """The .po file with every wanted text and no other."""
    catalogue = read(path)
    catalogue.update(wanted, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    out = io.BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    header = HEADER.format(language=path.parents[1].name, plurals=catalogue.plural_forms)
    return header.encode() + out.getvalue()


def compiled(path: Path) -> bytes:
    """What gettext reads, made from a .po file."""
    out = io.BytesIO()
    catalogue = read(path)
    # The same .po file always gives the same bytes.
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    write_mo(out, catalogue)
    return out.getvalue()


def main() -> None:
    """Write in place, or say which committed files are out of date."""
    check, stale, wanted = "--check" in sys.argv[1:], [], template()
    for path in translations():
        fresh = updated(path, wanted)
        if path.read_bytes() != fresh:
            stale.append(path)
            if not check:
                path.write_bytes(fresh)
        machine, binary = path.with_suffix(".mo"), compiled(path)
        if not machine.exists() or machine.read_bytes() != binary:
            stale.append(machine)
            if not check:
                machine.write_bytes(binary)
    if check and stale:
        names = ", ".join(str(path.relative_to(DASHBOARD.parent)) for path in stale)
        sys.exit(f"out of date, run scripts/generate_translations.py: {names}")


if __name__ == "__main__":
    main()
