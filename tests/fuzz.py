"""`make fuzz`: schemathesis over the description of the interface, against a server of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.ports import free_port
from tests.test_server import Server

LIMITS = f"""
import referee.web.security as s
s.MOST_OPENINGS = s.MISSES_A_MINUTE = {10**9}
from referee.cli import main
main()
"""
"""A referee without the limits of what a guest may do, which would end the test at once."""


def main() -> int:
    """Run it: no answer may be a fault of the server, nor another than is described."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "serve", "--port", str(free_port()), start=LIMITS)
        try:
            server.wait()
            checks = "not_a_server_error,response_schema_conformance,content_type_conformance"
            command = ["schemathesis", "run", server.url("/api/v1/openapi.json")]
            command += [
                "--checks",
                checks,
                "--max-examples",
                "60",
                "--exclude-path-regex",
                "stream",
            ]
            program = Path(sys.executable).with_name(command[0])
            done = subprocess.run([program, *command[1:], *sys.argv[1:]], check=False)
        finally:
            server.close()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
