"""What phones ask the internet to see whether it is there, answered on a hotspot that has none.

A phone that gets no such answer leaves the Wi-Fi for mobile data, or opens a small browser of its
own that forgets every seat. So the answers are those of the real hosts, for their names alone: the
hotspot's name server has to lead these names here, and their port, which is 80.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, request

bp = Blueprint("captive", __name__)

_APPLE: Final = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"


class CannedAnswer(NamedTuple):
    """What a system expects at a path of its own hosts, which are these or end so."""

    hosts: tuple[str, ...]
    text: str
    status: int = 200
    kind: str = "text/plain"


_GOOGLE: Final = ("gstatic.com", "google.com", "googleapis.com", "android.com", "google.cn")

ANSWERS: Final = {
    "/generate_204": CannedAnswer(_GOOGLE, "", 204),
    "/gen_204": CannedAnswer(_GOOGLE, "", 204),
    "/hotspot-detect.html": CannedAnswer(("apple.com",), _APPLE, kind="text/html"),
    "/library/test/success.html": CannedAnswer(("apple.com",), _APPLE, kind="text/html"),
    "/connecttest.txt": CannedAnswer(("msftconnecttest.com",), "Microsoft Connect Test"),
    "/ncsi.txt": CannedAnswer(("msftncsi.com",), "Microsoft NCSI"),
    "/success.txt": CannedAnswer(("detectportal.firefox.com",), "success\n"),
    "/check_network_status.txt": CannedAnswer(("nmcheck.gnome.org",), "NetworkManager is online\n"),
}


def _answer() -> Response:
    """Answer as the real host does; under our own name there is no such page."""
    wanted = ANSWERS[request.path]
    name = request.host.rsplit(":", 1)[0].lower()
    if not any(name == host or name.endswith(f".{host}") for host in wanted.hosts):
        abort(404)
    return Response(wanted.text, wanted.status, mimetype=wanted.kind)


for _path in ANSWERS:
    bp.add_url_rule(_path, endpoint=_path.strip("/").replace("/", "_").replace(".", "_"),
                    view_func=_answer)  # fmt: skip
