"""Firefox and WebKit as Debian ships them, driven by what they bring along.

Both take the commands of the W3C's WebDriver: WebKit over HTTP, from the driver in its package;
Firefox over a socket of its own (Marionette), which is what geckodriver talks to. Playwright drives
builds of its own of these two; what it says to a real Firefox, that one does not understand yet.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from tests.ports import free_port

from .serving import until

WAIT_S: Final = 30
START_S: Final = 120
"""Starting takes some seconds, on a machine that is busy with other browsers some more."""

PREFERENCES: Final[dict[str, Any]] = {
    "app.normandy.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "extensions.update.enabled": False,
    "messaging-system.rsexperimentloader.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "marionette.port": 0,
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en-GB",
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.tabs.warnOnClose": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
WEBDRIVER: Final = {
    "NewSession": ("POST", ""),
    "DeleteSession": ("DELETE", ""),
    "Navigate": ("POST", "/url"),
    "GetCurrentURL": ("GET", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "PerformActions": ("POST", "/actions"),
    "ReleaseActions": ("DELETE", "/actions"),
    "GetCookies": ("GET", "/cookie"),
    "AddCookie": ("POST", "/cookie"),
    "GetWindowHandle": ("GET", "/window"),
    "NewWindow": ("POST", "/window/new"),
    "SwitchToWindow": ("POST", "/window"),
    "SetWindowRect": ("POST", "/window/rect"),
    "TakeScreenshot": ("GET", "/screenshot"),
}
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"

UP: Final = {"type": "pointerUp", "button": 0}

SEEN: Final = """const node = [...document.querySelectorAll(arguments[0])].find((one) =>
  one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && (one.innerText || "").includes(arguments[1] || ""));"""
MIDDLE: Final = f"""{SEEN}
if (!node || document.querySelector("[data-fresh]")) return null;
node.scrollIntoView({{ block: "center" }});
const box = node.getBoundingClientRect();
const at = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
return node.contains(document.elementFromPoint(...at)) ? at : null;"""
"""Where a finger hits the thing itself, and nothing that lies over it."""
COMPLAINTS: Final = """return Services.console.getMessageArray()
  .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag))
  .filter((one) => one.sourceName.startsWith("http"))
  .filter((one) => !one.errorMessage.endsWith("was interrupted while the page was loading."))
  .map((one) => `${one.sourceName}: ${one.errorMessage}`);"""
"""What a console tells of pages, but not that of a page which is left the stream ends."""
LISTEN: Final = """if (window.isHeard) return;
window.isHeard = true;
const heard = () => JSON.parse(sessionStorage.complaints || "[]");
const hear = (said) => {
  sessionStorage.complaints = JSON.stringify(heard().concat(`${location.href}: ${said}`));
};
const error = console.error;
console.error = (...said) => { hear(said.join(" ")); error(...said); };
addEventListener("error", (event) => hear(event.message || event.target.outerHTML), true);
addEventListener("unhandledrejection", (event) => hear(event.reason));
if (window.ReportingObserver)
  new ReportingObserver((reports) => reports.forEach((one) => hear(JSON.stringify(one.body))),
    { buffered: true, types: ["csp-violation"] }).observe();
else addEventListener("securitypolicyviolation",
  (event) => hear(`${event.violatedDirective} ${event.blockedURI}`));
for (const one of performance.getEntriesByType("resource"))
  if (one.responseStatus >= 400) hear(`${one.responseStatus} ${one.name}`);"""
"""What broke before shows in what a page cannot do; policy and missing files are told later too.

Firefox may keep its observer from pages without a certificate; its console tells of policy as well.
"""


class Refused(Exception):
    """What a browser cannot do, such as to ask a page that is just being left."""


class Remote(ABC):
    """One browser with a profile of its own, and what somebody does in it."""

    POINTER: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = (folder / "browser.log").open("wb")
        self.processes: list[subprocess.Popen[bytes]] = []

    @abstractmethod
    def start(self) -> None:
        """Start it with a profile of its own."""

    @abstractmethod
    def send(self, command: str, body: dict[str, Any]) -> Any:
        """Send one of WebDriver's commands and give what it answers."""

    def complaints(self) -> list[str]:
        """Give what pages of this window complained of so far."""
        found: list[str] = self.script("return JSON.parse(sessionStorage.complaints || '[]')")
        return found

    def ask(self, command: str, **body: Any) -> Any:
        """Send a command; an answer that is wrapped is unwrapped."""
        found = self.send(command, body)
        return found["value"] if isinstance(found, dict) and [*found] == ["value"] else found

    def run(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a process that ends with this browser."""
        process = subprocess.Popen(
            command, env=os.environ | environment, stdout=self.log, stderr=subprocess.STDOUT
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        """End it, by force if need be."""
        for process in reversed(self.processes):
            process.kill()
            process.wait(WAIT_S)
        self.log.close()

    def goto(self, url: str) -> None:
        """Open a page."""
        self.ask("Navigate", url=url)

    def where(self) -> str:
        """Give the address of the page that is open."""
        url: str = self.ask("GetCurrentURL")
        return url

    def script(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function in the page and give what it returns."""
        self.ask("ExecuteScript", script=LISTEN, args=[])
        return self.ask("ExecuteScript", script=script, args=list(arguments))

    def sees(self, css: str, text: str = "") -> bool:
        """Say whether one of these is to be seen, with this text in it."""
        try:
            return bool(self.script(f"{SEEN} return Boolean(node);", css, text))
        except Refused:
            return False

    def await_sight(self, css: str, text: str = "") -> None:
        """Wait until something is to be seen; say what there is instead if it does not come."""
        try:
            until(lambda: self.sees(css, text), within_s=WAIT_S)
        except AssertionError:
            shown = self.script("return document.body.innerText")
            raise AssertionError(f"{css} {text} at {self.where()}, which shows: {shown}") from None

    def press(self, css: str) -> None:
        """Put the finger, or the mouse, on something, and leave it there."""
        self._pointer(*self._down_on(css))

    def _down_on(self, css: str) -> tuple[dict[str, Any], ...]:
        """Wait until nothing lies over something; give how a pointer goes down on it."""
        self.await_sight(css)
        spots: list[list[int]] = []

        def is_free() -> bool:
            spots.append(self.script(MIDDLE, css) or [])
            return bool(spots[-1])

        until(is_free, within_s=WAIT_S)
        return (
            {"type": "pointerMove", "duration": 0, "x": spots[-1][0], "y": spots[-1][1]},
            {"type": "pointerDown", "button": 0},
        )

    def release(self) -> None:
        """Lift the finger."""
        self._pointer(UP)

    def _pointer(self, *actions: dict[str, Any]) -> None:
        kind = {"type": "pointer", "id": "hand", "parameters": {"pointerType": self.POINTER}}
        self.ask("PerformActions", actions=[{**kind, "actions": list(actions)}])

    def tap(self, css: str) -> None:
        """Touch the first of these that is to be seen."""
        # In one go: of a finger that rests for half a second Firefox makes no click, and between
        # two commands a busy machine may take as long.
        self._pointer(*self._down_on(css), UP)

    def fill(self, css: str, text: str) -> None:
        """Type into a field."""
        node = self.script(f"{SEEN} node.focus(); node.select(); return node;", css)
        self.ask("ElementSendKeys", id=node[ELEMENT], text=text)

    def picture(self) -> bytes:
        """Give what the window shows, as PNG."""
        return b64decode(self.ask("TakeScreenshot"))

    def open_window(self) -> str:
        """Open another window, look at it, and give the one that was looked at."""
        before: str = self.ask("GetWindowHandle")
        self.look_at(self.ask("NewWindow", type="window")["handle"])
        return before

    def look_at(self, window: str) -> None:
        """Look at another window."""
        self.ask("SwitchToWindow", handle=window)

    @contextmanager
    def held(self, css: str) -> Iterator[None]:
        """Hold a finger on something."""
        self.press(css)
        yield
        self.release()


class Firefox(Remote):
    """Firefox without windows, over Marionette."""

    POINTER = "touch"

    def __init__(self, folder: Path, path: str) -> None:
        super().__init__(folder)
        self._path = path
        self._line = socket.socket()
        self._number = 0

    def start(self) -> None:
        """Start it, and go to where it says that it listens."""
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (self.folder / "user.js").write_text("\n".join(lines))
        # Access to the system is access to the browser's own console, where pages' errors end.
        process = self.run(
            *(self._path, "--headless", "--no-remote", "--profile", str(self.folder)),
            *("--marionette", "--remote-allow-system-access"),
            HOME=str(self.folder),
            MOZ_CRASHREPORTER_DISABLE="1",
        )
        port = self.folder / "MarionetteActivePort"
        until(lambda: process.poll() is not None or _text(port), within_s=START_S)
        self._line.settimeout(START_S)
        self._line.connect(("127.0.0.1", int(_text(port))))
        self._read()  # it says who it is
        self.ask("NewSession", capabilities={})

    def send(self, command: str, body: dict[str, Any]) -> Any:
        """Send a command as Marionette frames it: its length, a colon, a list."""
        self._number += 1
        family = "" if ":" in command else "WebDriver:"
        message = json.dumps([0, self._number, family + command, body]).encode()
        self._line.sendall(b"%d:%s" % (len(message), message))
        _, number, error, found = self._read()
        assert number == self._number
        if error is not None:
            raise Refused(error)
        return found

    def _read(self) -> Any:
        head = b""
        while not head.endswith(b":"):
            head += self._some(1)
        text = b""
        while len(text) < int(head[:-1]):
            text += self._some(int(head[:-1]) - len(text))
        return json.loads(text)

    def _some(self, most: int) -> bytes:
        found = self._line.recv(most)
        assert found, "Firefox is gone"
        return found

    def complaints(self) -> list[str]:
        """Ask the browser's own console too: it knows what went wrong before we could listen."""
        self.ask("Marionette:SetContext", value="chrome")
        found: list[str] = self.ask("ExecuteScript", script=COMPLAINTS, args=[])
        self.ask("Marionette:SetContext", value="content")
        return found + super().complaints()

    def close(self) -> None:
        """Hang up, then end it."""
        self._line.close()
        super().close()


class WebKit(Remote):
    """WebKit's small browser on a screen that nobody sees, over HTTP."""

    POINTER = "mouse"

    def __init__(self, folder: Path, path: str, small: str) -> None:
        super().__init__(folder)
        self._path = path
        self._small = small
        self._port = free_port()
        self._session = ""

    def start(self) -> None:
        """Start a screen, the driver on it, and let that start the browser."""
        # Pages of ours alone are opened, and in a container there is no sandbox to be had.
        self.run(
            *(self._path, f"--port={self._port}"),
            DISPLAY=f":{self._screen()}",
            HOME=str(self.folder),
            LANG="C.UTF-8",
            WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
            # Without a graphics card what it would share with one is copied by the processor.
            WEBKIT_DISABLE_DMABUF_RENDERER="1",
        )
        until(self._answers, within_s=START_S)
        options = {"binary": self._small, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = self.ask("NewSession", capabilities=wanted)["sessionId"]

    def _screen(self) -> str:
        asked, told = os.pipe()
        words = ("-displayfd", str(told), "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
        process = subprocess.Popen(
            ("Xvfb", *words), stdout=self.log, stderr=subprocess.STDOUT, pass_fds=(told,)
        )
        self.processes.append(process)
        os.close(told)
        with os.fdopen(asked) as reader:
            return reader.readline().strip()

    def _answers(self) -> bool:
        try:
            return bool(self._call("GET", "/status", {}))
        except (OSError, HTTPException):
            return False

    def send(self, command: str, body: dict[str, Any]) -> Any:
        """Send a command where it belongs."""
        method, path = WEBDRIVER[command]
        session = f"/session/{self._session}" if self._session else "/session"
        return self._call(method, session + path.format(**body), body)

    def _call(self, method: str, path: str, body: dict[str, Any]) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=START_S)
        try:
            payload = json.dumps(body) if method == "POST" else None
            connection.request(method, path, payload, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            found = json.loads(answer.read())["value"]
        finally:
            connection.close()
        if answer.status != HTTPStatus.OK:
            raise Refused(found)
        return found


def _text(path: Path) -> str:
    return path.read_text().strip() if path.is_file() else ""
