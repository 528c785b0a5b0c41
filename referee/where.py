"""Where the data folder lies."""

from __future__ import annotations

from pathlib import Path


def data_folder(chosen: Path | None = None) -> Path:
    """Give the data folder: the chosen one, `instance/` in a checkout, else the user's own.

    Not Flask's own choice for what is installed: that lies in the environment, which an upgrade
    replaces with all evenings in it.
    """
    if chosen is not None:
        return chosen.expanduser().absolute()
    top = Path(__file__).resolve().parent.parent
    if (top / "pyproject.toml").is_file() and (top / "templates").is_dir():
        return top / "instance"
    import platformdirs  # noqa: PLC0415  # only an installed referee asks the platform

    return Path(platformdirs.user_data_dir("referee", appauthor=False))
