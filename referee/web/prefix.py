"""A path in front of ours, for a server that shares its name with others: `/games/t/K7QXW`.

Pages name each other from the root, which is simple and short. Where there is a path before it,
what leaves is rewritten once, here; where there is none, nothing of this runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication

from referee.line import LINE

_LINKS: Final = re.compile(
    rb'(\s(?:href|src|action|formaction|hx-get|hx-post|data-[a-z]+)=")/(?!/)'
)
_REWRITTEN: Final = ("text/html", "text/event-stream")
_PLACES: Final = frozenset({"location", "hx-redirect", "hx-location", "hx-push-url"})


class Prefix:
    """WSGI middleware for an application that believes itself at the root.

    Args:
        app: the application.
        path: the path in front, such as "/games", for a proxy that does not say it itself.
    """

    def __init__(self, app: WSGIApplication, path: str) -> None:
        self._app = app
        self._path = path.rstrip("/")

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """Take the path off what comes, and put it before what leaves."""
        path = environ.get("SCRIPT_NAME", "").rstrip("/") or self._path
        if not path:
            return self._app(environ, start)
        environ["SCRIPT_NAME"] = ""
        inside = environ.get("PATH_INFO", "")
        if inside == path or inside.startswith(
            f"{path}/"
        ):  # a proxy may pass it on, or take it off
            environ["PATH_INFO"] = inside[len(path) :] or "/"
        # Packed text cannot be rewritten; the proxy packs better anyway.
        environ["HTTP_ACCEPT_ENCODING"] = "identity"
        # Whatever is sent has to come through here.
        environ.pop(LINE, None)
        kind = ""

        def begin(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal kind
            kind = next((v for k, v in headers if k.lower() == "content-type"), "")
            is_rewritten = kind.startswith(_REWRITTEN)
            kept = [
                (k, path + v if k.lower() in _PLACES and v.startswith("/") else v)
                for k, v in headers
                if not (is_rewritten and k.lower() == "content-length")
            ]
            return start(status, kept, *more)

        return _Rewritten(self._app(environ, begin), lambda: kind, path.encode())


class _Rewritten:
    """A body whose links have the path in front."""

    def __init__(self, body: Iterable[bytes], kind: Callable[[], str], path: bytes) -> None:
        self._body = body
        self._kind = kind
        self._path = path

    def __iter__(self) -> Iterator[bytes]:
        for part in self._body:
            if self._kind().startswith(_REWRITTEN):
                yield _LINKS.sub(rb"\g<1>" + self._path.replace(b"\\", b"") + b"/", part)
            else:
                yield part

    def close(self) -> None:
        """Let the body end what it holds: a stream leaves its table by this."""
        if close := getattr(self._body, "close", None):
            close()
