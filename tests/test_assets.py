"""Static files as they are sent: joined, lean, under one address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.web.assets import Assets
from referee.web.render import here


def laid(folder: Path, **files: str) -> Path:
    """Write files, named with two underscores where a folder ends and one before the suffix."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def sent(assets: Assets, name: str) -> str:
    """Give a file as phones are sent it."""
    found = assets.find(name)
    assert found is not None
    return found.body.decode()


def test_static_files_have_one_address_that_changes_with_any_of_them(tmp_path: Path) -> None:
    """What one file says of another is relative, so it must move when the other does."""
    own = laid(tmp_path / "own", game_css="1")
    toy = laid(tmp_path / "toy", game_css="2")
    before = Assets(own, ("toy", toy))
    laid(toy, game_css="3")
    after = Assets(own, ("toy", toy))

    assert before.url("game.css") == f"/static/{before.tag}/game.css"
    assert before.url("toy/game.css") == f"/static/{before.tag}/toy/game.css"
    assert before.tag != after.tag
    with pytest.raises(KeyError):
        before.url("toy/icons.svg")


@pytest.mark.parametrize(
    ("name", "written", "sent_as"),
    [
        ("a.css", "/* why */\na,\ni > b :is(u,  s) {\n  b: c d;\n}\n", "a,i > b :is(u,s){b:c d}"),
        (
            "a.css",
            "@media (a: b) and (c) { a { b: c(1px + 2px), d; } }\n",
            "@media (a:b) and (c){a{b:c(1px + 2px),d}}",
        ),
        (
            "a.css",
            'a::after {\n  content: "\\\n : { /* kept */"\n}\n',
            'a::after{content:"\\\n : { /* kept */"}',
        ),
        ("a.css", "a { b: 'it;} \\' :  c'; }", "a{b:'it;} \\' :  c'}"),
        (
            "a.js",
            "// why\n\nif (a) {\n  b(); // c\n}\n",
            "const $0 = (() => {\nif (a) {\nb(); // c\n}\nreturn {  };\n})();\n",
        ),
        (
            "a.js",
            "a = `\n  // kept\n`;\n",
            "const $0 = (() => {\na = `\n  // kept\n`;\nreturn {  };\n})();\n",
        ),
    ],
)
def test_phones_are_sent_no_comments(tmp_path: Path, name: str, written: str, sent_as: str) -> None:
    """They are a tenth of a first visit; where lines mean something all are sent."""
    (tmp_path / name).write_text(written)

    assert sent(Assets(tmp_path), name) == sent_as


def test_a_stylesheet_is_sent_with_what_it_imports_each_once(tmp_path: Path) -> None:
    """What is imported comes before; what two import is there once."""
    folder = laid(
        tmp_path,
        css__page_css='/* why */\n\n@import "one.css";\n@import "two.css";\n\np { top: 0; }\n',
        css__one_css='@import "base.css";\ni { top: 1px; }\n',
        css__two_css='@import "base.css";\nb { top: 2px; }\n',
        css__base_css="a { top: 3px; }\n",
    )
    expected = "a{top:3px}i{top:1px}b{top:2px}p{top:0}"

    assert sent(Assets(folder), "css/page.css") == expected


def test_a_script_is_sent_with_what_it_imports_each_a_module_of_its_own(tmp_path: Path) -> None:
    """Two may use one name for two things; each runs once, and after what it needs."""
    folder = laid(
        tmp_path,
        js__main_js='// Why.\nimport * as one from "./one.js";\nimport "./two.js";\none.go();\n',
        js__one_js='import { say } from "./two.js"; // c\nexport function go() { say(own); }\n'
        'const own = "// 1";\n',
        js__two_js="const own = 2;\nexport const say = (what) => own + what;\n",
    )
    expected = (
        "const $0 = (() => {\nconst own = 2;\nconst say = (what) => own + what;\n"
        "return { say };\n})();\n"
        "const $1 = (() => {\nconst { say } = $0;\nfunction go() { say(own); }\n"
        'const own = "// 1";\nreturn { go };\n})();\n'
        "const $2 = (() => {\nconst one = $1;\none.go();\nreturn {  };\n})();\n"
    )

    assert sent(Assets(folder), "js/main.js") == expected
    assert sent(Assets(folder), "js/two.js").endswith("\nexport const { say } = $0;\n")


def test_what_a_game_adds_comes_after_what_all_games_have(tmp_path: Path) -> None:
    """Its pages take one file instead of two; a game that adds nothing shares the common one."""
    folder = laid(
        tmp_path,
        css__phone_css="a { top: 0; }\n",
        js__main_js="start();\n",
        toy__game_css="b { top: 0; }\n",
        css__page_css="i { top: 0; }\n",
        toy__page_css='@import "game.css";\nu { top: 0; }\n',
    )
    assets = Assets(folder)

    assert assets.url("css/phone.css", "toy").endswith("/toy/phone.css")
    assert sent(assets, "toy/phone.css") == "a{top:0}b{top:0}"
    assert sent(assets, "toy/page.css") == "i{top:0}b{top:0}u{top:0}"
    assert assets.url("js/main.js", "toy").endswith("/js/main.js")
    assert assets.url("css/phone.css", "").endswith("/css/phone.css")
    for nothing in ("toy/main.js", "toy/display.css", "phone.css", "", "toy/"):
        assert assets.find(nothing) is None


def test_what_a_script_imports_while_it_runs_comes_by_itself(tmp_path: Path) -> None:
    """It takes what is there already from the script that is there, and brings the rest."""
    folder = laid(
        tmp_path,
        js__main_js='import "./one.js";\nimport { two } from "./two.js";\n'
        'two();\nimport("./late.js" + two);\n',
        js__one_js="one();\n",
        js__two_js='export const two = () => "two";\n',
        js__late_js='import { two } from "./two.js";\nimport { own } from "./own.js";\nown(two);\n',
        js__own_js="export function own(of) { of(); }\n",
        toy__game_js="toy();\n",
    )
    assets = Assets(folder)
    two = 'const $1 = (() => {\nconst two = () => "two";\nreturn { two };\n})();\n'
    own = "const $3 = (() => {\nfunction own(of) { of(); }\nreturn { own };\n})();\n"
    late = "const { two } = $1;\nconst { own } = $3;\nown(two);\nreturn {  };\n})();\n"

    assert two in sent(assets, "js/main.js")
    assert sent(assets, "js/main.js").endswith(
        'two();\nimport("./main.late.js" + two);\nreturn {  };\n})();\nexport { $1 };\n'
    )
    assert sent(assets, "js/main.late.js") == (
        f'import {{ $1 }} from "./main.js";\n{own}const $4 = (() => {{\n{late}'
    )
    assert sent(assets, "toy/main.late.js").endswith(late.replace("$3", "$4"))
    for nothing in ("js/main.two.js", "js/one.late.js", "js/none.late.js", "css/main.late.css"):
        assert assets.find(nothing) is None


def test_two_that_come_late_are_refused(tmp_path: Path) -> None:
    """What both import would be there twice, each with a state of its own."""
    folder = laid(
        tmp_path,
        js__main_js='import("./one.js");\nimport("./two.js");\n',
        js__one_js="",
        js__two_js="",
    )
    with pytest.raises(ValueError, match=r"come late: js/one\.js, js/two\.js"):
        Assets(folder).find("js/main.js")


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("export let a = 1;\n", "export let a = 1;"),
        ("export default 1;\n", "export default 1;"),
        ('import {\na } from "./b.js";\n', "import {"),
    ],
)
def test_what_cannot_be_joined_is_named(tmp_path: Path, written: str, left: str) -> None:
    """Rather than sent as it is, to stop every page without a word."""
    with pytest.raises(ValueError, match=re.escape(f"js/main.js: {left}")):
        Assets(laid(tmp_path, js__main_js=written)).find("js/main.js")


def test_every_name_that_our_scripts_import_is_exported() -> None:
    """A browser would say so; joined, it would be nothing at all, and only where it is used."""
    folder = here("static")
    scripts = [path for path in folder.rglob("*.js") if path.parent.name != "vendor"]
    exports = {
        path: {
            *re.findall(
                r"^export (?:async )?(?:function|const) (\w+)", path.read_text(), re.MULTILINE
            )
        }
        for path in map(Path.resolve, scripts)
    }
    assert len(scripts) > 20
    for path in scripts:
        text = path.read_text()
        for names, file in re.findall(r'^import \{ (.+) \} from "(.+)";', text, re.MULTILINE):
            missing = {*names.split(", ")} - exports[(path.parent / file).resolve()]
            assert missing == set(), path
        for name, file in re.findall(r'^import \* as (\w+) from "(.+)";', text, re.MULTILINE):
            used = {*re.findall(rf"\b{name}\.(\w+)", text)}
            assert used <= exports[(path.parent / file).resolve()] | {"js"}, path
