"""The page with the form that takes a token; it needs no script."""

from __future__ import annotations

from html import escape

from dashboard.i18n.reader import PARAMETER
from dashboard.i18n.text import _, spoken

_STYLE = """
:root{color-scheme:light dark;--paper:#f6f1e7;--panel:#fffdf8;--line:#d9cfbc;--ink:#2a2622;
--soft:#6b6051;--gold:#8a6a0c;--on-gold:#fffdf8;--bad:#a83a2a}
@media (prefers-color-scheme:dark){:root{--paper:#1d1a17;--panel:#27231f;--line:#443d34;
--ink:#ece5d8;--soft:#b3a792;--gold:#e0b93c;--on-gold:#241c05;--bad:#f0907f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;
background:var(--paper);color:var(--ink);
font:1rem/1.5 ui-sans-serif,system-ui,"DejaVu Sans",sans-serif}
main{width:100%;max-width:27rem;background:var(--panel);border:1px solid var(--line);
border-radius:16px;padding:2rem 2rem 1.6rem}
.crown{width:2.6rem;height:1.9rem;background:var(--gold);
clip-path:polygon(0 22%,27% 52%,50% 0,73% 52%,100% 22%,88% 100%,12% 100%)}
h1{margin:.9rem 0 .2rem;font:600 1.6rem/1.2 Georgia,"DejaVu Serif",serif}
p{margin:.2rem 0 1.1rem;color:var(--soft);font-size:.92rem}
code{font:.88em ui-monospace,"DejaVu Sans Mono",monospace}
label{display:block;font-weight:600;font-size:.9rem;margin-bottom:.35rem}
input{width:100%;font:1rem ui-monospace,"DejaVu Sans Mono",monospace;color:inherit;
background:var(--paper);border:1px solid var(--line);border-radius:9px;padding:.65rem .8rem}
button{width:100%;margin-top:1rem;font:inherit;font-weight:600;padding:.65rem;
border:0;border-radius:9px;background:var(--gold);color:var(--on-gold);cursor:pointer}
input:focus-visible,button:focus-visible,a:focus-visible{outline:2px solid var(--gold);
outline-offset:2px}
.bad{color:var(--bad);font-weight:600;border-left:3px solid;padding-left:.7rem}
a{color:inherit;text-decoration-color:var(--gold);text-underline-offset:.2em}
footer{margin-top:1.3rem;font-size:.88rem}
"""


def html(next_page: str, problem: str = "") -> str:
    """The form; it leads on to `next_page`, after the `problem` of the last try, if any."""
    title = escape(_("Sign in"))
    said = f'<p class="bad" role="alert">{escape(problem)}</p>' if problem else ""
    about = escape(_("Authors see the evidence of their own bots. The token of an account is in"))
    return f"""<!doctype html>
<html lang="{spoken()}"><head><meta charset="utf-8"><title>{title} · Interrex</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>
<body><main><div class="crown"></div><h1>{title}</h1>
<p>{about} <code>.interrex/profile.json</code></p>{said}
<form method="post" action="sign-in" autocomplete="off">
<label for="token">{escape(_("Token"))}</label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus
 spellcheck="false" maxlength="200">
<input type="hidden" name="next" value="{escape(next_page)}">
<input type="hidden" name="{PARAMETER}" value="{spoken()}">
<button type="submit">{title}</button></form>
<footer><a href="/ladders?{PARAMETER}={spoken()}">{escape(_("Back to the ladders"))}</a></footer>
</main></body></html>
"""
