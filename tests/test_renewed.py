"""The program is renewed while pages stay open: by a new version, in the middle of an evening."""

from __future__ import annotations

from flask import Flask

from tests.table import Evening, streaming


def test_a_page_of_another_version_of_the_program_is_made_anew(app: Flask) -> None:
    """Its scripts know nothing of what the parts are by now; one of this version goes on."""
    evening = Evening(app).start()
    short = app.extensions["referee"].renderer.assets.short_tag
    for who, path in ((evening.laptop, f"/t/{evening.code}"), (evening.phones[1], evening.seat(1))):
        page = who.get(f"{path}?open=1").text
        address = page.split('data-stream="')[1].split('"')[0].replace("&amp;", "&")
        assert f"have=of-{short}." in address
        for again in ("", "&again=1"):
            with streaming(who.client, address + again) as stream:
                stream.read()
                assert "reload" not in [name for name, _, _ in stream.read()]
            for old in (f"of-{short[::-1]}.", ""):
                was = address.replace(f"of-{short}.", old) + again
                with streaming(who.client, was) as stream:
                    stream.read()
                    assert [name for name, _, _ in stream.read()] == ["reload"]
