"""The top of every page: where one can go, who is signed in, and the language."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from dashboard import arena
from dashboard.i18n import reader, text
from dashboard.i18n.text import _
from dashboard.views import markup

#: The page whose entry is lit while another one is read.
_PARENTS = {"": "ladders", "match": "matches", "bot": "bots"}


def show(path: str) -> None:
    """Draw it for the page at `path`."""
    places = [
        ("ladders", _("Ladders")),
        ("tournaments", _("Tournaments")),
        ("matches", _("Matches")),
        ("bots", _("Bots")),
        ("status", _("Status")),
    ]
    here = _PARENTS.get(path, path)
    links = "".join(_link(page, label, here) for page, label in places)
    brand = (
        f'<a class="ix-brand" href="{markup.address("ladders")}" target="_self"><i></i>Interrex</a>'
    )
    st.html(
        f'<header class="ix-top">{brand}<nav aria-label="{markup.safe(_("Pages"))}">{links}</nav>'
        f'<div class="ix-account">{_languages(path)}{_account(path)}</div></header>'
    )


def _link(page: str, label: str, here: str) -> str:
    current = ' aria-current="page"' if page == here else ""
    target = markup.safe(markup.address(page))
    return f'<a href="{target}" target="_self"{current}>{markup.safe(label)}</a>'


def _account(path: str) -> str:
    user = arena.visitor()
    if user is None:
        wanted = {"next": _this_page(path)} if path else {}
        return markup.link(markup.address("sign-in", **wanted), _("Sign in"))
    button = f"<button>{markup.safe(_('Sign out'))}</button>"
    leave = markup.safe(markup.address("sign-out"))
    return (
        f'<b class="ix-user" title="{markup.safe(_("Signed in"))}">{markup.safe(user.name)}</b>'
        f'<form method="post" action="{leave}">{button}</form>'
    )


def _languages(path: str) -> str:
    """The other languages, each a link to this very page."""
    parameters = {key: value for key, value in st.query_params.items() if key != reader.PARAMETER}
    links = []
    for language, name in text.NAMES.items():
        if language != text.spoken():
            target = f"{path or 'ladders'}?{urlencode({**parameters, reader.PARAMETER: language})}"
            links.append(
                f'<a class="ix-language" href="{markup.safe(target)}" target="_self" '
                f'lang="{language}" title="{markup.safe(name)}">{language.upper()}</a>'
            )
    return "".join(links)


def _this_page(path: str) -> str:
    parameters = dict(st.query_params.items())
    return f"{path}?{urlencode(parameters)}" if parameters else path
