"""What every extractor keeps to: the contract that outsiders can run."""

import pytest

from dedup.page import EXTRACTORS
from dedup.testing import ExtractorContract


@pytest.mark.usefixtures("compiled")
class TestExtractors(ExtractorContract):
    @pytest.fixture(params=EXTRACTORS)
    def extractor(self, request: pytest.FixtureRequest) -> str:
        return request.param
