"""What was proven and what was not, as a table and as lines."""

from __future__ import annotations

from arena_service.doctor.report import Report
from arena_service.verdicts import printable
from cli.output import print_table, say, table


def show(report: Report) -> None:
    """Every proof, each problem that was kept, what is odd, and the verdict.

    An audited file may hold anything: what is told of it is made harmless to a terminal.
    """
    rows = [
        (each.name, str(each.examined), str(each.failed) if each.failed else "ok", each.claim)
        for each in report.proofs
    ]
    print_table(table(("proof", "examined", "problems", "what must hold"), rows))
    for proof in report.proofs:
        for about, text in proof.problems:
            say(printable(f"{proof.name}: {about} {text}"))
        if proof.failed > len(proof.problems):
            say(f"{proof.name}: {proof.failed - len(proof.problems)} more")
    for odd in report.oddities:
        say(printable(f"odd, {odd.kind}: {odd.about}: {odd.text}"))
    say("All proofs hold." if report.is_clean else "Something does not agree; see above.")
