"""Behind a proxy, and under a path that is shared with others."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.ports import free_port
from tests.table import BASE, Browser, app_at
from tests.test_server import PATIENCE, Server, serving

PATH = "/games"


@pytest.fixture(params=["the proxy says it", "the address says it"])
def browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Browser]:
    """Give a phone behind a proxy that puts a path in front, in both ways of telling us."""
    said = request.param == "the proxy says it"
    with app_at(tmp_path, proxies=1, **({} if said else {"url": f"{BASE}{PATH}"})) as app:
        phone = Browser(app)
        phone.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
        phone.headers |= {"X-Forwarded-For": "192.168.7.7", "X-Forwarded-Host": "play.example"}
        if said:
            phone.headers["X-Forwarded-Prefix"] = PATH
        yield phone


def test_every_link_of_a_page_leads_through_the_path(browser: Browser) -> None:
    """From the start page to a seat: what a page names lies under the path, and answers there."""
    opened = browser.post("/tables", {"game": "winchester"}, Origin="http://play.example")
    assert opened.status_code == 303
    assert opened.location.startswith(f"{PATH}/t/")
    code = opened.location.rsplit("/", 1)[-1]
    joined = browser.post(f"/j/{code}", {"name": "Ann"})
    assert joined.location == f"{PATH}/s/{code}/0"
    for path in ("/", f"/t/{code}", f"/j/{code}?more=1", f"/s/{code}/0", f"/s/{code}/0/menu"):
        text = browser.get(path).text
        links = re.findall(r'\s(?:href|src|action|hx-post|hx-get|data-stream)="(/[^"]*)"', text)
        assert links
        assert all(link.startswith(f"{PATH}/") for link in links), links
        styles = [link for link in links if ".css" in link]
        assert styles
        assert browser.get(styles[0].removeprefix(PATH)).status_code == 200
    with_path = browser.get(f"{PATH}/t/{code}")
    assert with_path.status_code == 200


def test_the_one_who_asks_is_the_one_the_proxy_names(browser: Browser) -> None:
    """A phone behind a proxy is not the machine: it sees no other table, and sets no Wi-Fi."""
    opened = browser.post("/tables", {"game": "winchester"})
    code = opened.location.rsplit("/", 1)[-1]
    assert f"/t/{code}/wifi" not in browser.get(f"/t/{code}").text
    assert browser.post(f"/t/{code}/wifi", {"name": "Trap"}).status_code == 403
    another = browser.client.application.test_client()
    assert code not in another.get("/", headers={"X-Forwarded-For": "192.168.7.8"}).text


def test_nobody_without_a_proxy_is_believed(tmp_path: Path) -> None:
    """The same words from a phone itself say nothing about who it is."""
    with app_at(tmp_path) as app:
        liar = Browser(app)
        liar.headers |= {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"}
        code = liar.open_table()
        assert liar.post(f"/t/{code}/wifi", {"name": "Trap"}).status_code == 403


class Nginx(NamedTuple):
    """A real proxy in front of a real server."""

    base: str
    server: Server


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Nginx]:
    """Start nginx under a path in front of the referee."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed: apt install nginx-light")
    port = free_port()
    with serving(tmp_path / "data", "serve", "--proxy", "1") as server:
        config = tmp_path / "nginx.conf"
        config.write_text(f"""
            daemon off; pid {tmp_path}/nginx.pid; error_log stderr;
            events {{}}
            http {{
              access_log off;
              client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;
              fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u;
              scgi_temp_path {tmp_path}/s;
              server {{
                listen 127.0.0.1:{port};
                location {PATH}/ {{
                  proxy_pass http://127.0.0.1:{server.port}/;
                  proxy_http_version 1.1;
                  proxy_set_header Host $http_host;
                  proxy_set_header X-Forwarded-For 192.168.7.7;
                  proxy_set_header X-Forwarded-Host $http_host;
                  proxy_set_header X-Forwarded-Prefix {PATH};
                }}
              }}
            }}""")
        proxy = subprocess.Popen(
            [program, "-p", str(tmp_path), "-c", str(config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for(port)
            yield Nginx(f"http://127.0.0.1:{port}{PATH}", server)
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(port)


@pytest.mark.server
def test_behind_nginx(nginx: Nginx) -> None:
    """Pages, posts from them, and a stream that is not held back."""
    opened = nginx.server.post(
        "/api/v1/tables", {"game": "winchester", "options": {"preset": "app", "board": "practice"}}
    )
    code = opened["table"]
    page = urllib.request.urlopen(f"{nginx.base}/t/{code}", timeout=PATIENCE)  # noqa: S310  # ours
    with page:
        assert f'href="{PATH}/'.encode() in page.read()
    form = urllib.request.Request(  # noqa: S310  # likewise
        f"{nginx.base}/j/{code}",
        b"name=Ann",
        headers={
            "Origin": nginx.base.removesuffix(PATH),
            "Sec-Fetch-Site": "same-origin",
            "Cookie": "referee_tried=1",
        },
    )
    with urllib.request.urlopen(form, timeout=PATIENCE) as answer:  # noqa: S310  # likewise
        assert answer.url.startswith(f"{nginx.base}/")
    stream = urllib.request.urlopen(  # noqa: S310  # likewise
        f"{nginx.base}/t/{code}/stream?status=lobby", timeout=PATIENCE
    )
    with stream:
        nginx.server.post(f"/api/v1/tables/{code}/seats", {"name": "Unmistakable"})
        heard = b""
        while b"Unmistakable" not in heard:
            line = stream.readline()
            assert line
            heard += line
