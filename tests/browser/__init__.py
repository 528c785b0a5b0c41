"""The pages as people meet them: the real server, real Chromium, several phones."""

import pytest

pytest.register_assert_rewrite(f"{__name__}.bench")
