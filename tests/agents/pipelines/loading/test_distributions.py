"""Which distribution has a module."""

from __future__ import annotations

import pytest

from agents.pipelines.loading.distributions import distribution_of, module_of


@pytest.mark.parametrize(
    ("name", "module", "distribution"),
    [
        ("yfinance", "yfinance", "yfinance"),
        ("tavily.client", "tavily", "tavily-python"),
        ("bs4", "bs4", "beautifulsoup4"),
        ("PIL.Image", "PIL", "pillow"),
        ("cv2", "cv2", "opencv-python"),
        ("yaml", "yaml", "pyyaml"),
        ("sklearn.svm", "sklearn", "scikit-learn"),
        ("langchain_community.tools", "langchain_community", "langchain-community"),
        ("googleapiclient.discovery", "googleapiclient", "google-api-python-client"),
        ("google.cloud.storage.blob", "google.cloud.storage", "google-cloud-storage"),
        ("google.cloud.pubsub_v1", "google.cloud.pubsub_v1", "google-cloud-pubsub"),
        ("google.cloud.other.thing", "google.cloud.other", None),
        ("google.auth.transport", "google.auth", "google-auth"),
        ("google", "google", None),
        ("my_tools.search", "my_tools", None),
    ],
)
def test_a_distribution_is_told_only_where_it_is_known(name, module, distribution):
    assert module_of(name) == module
    assert distribution_of(module) == distribution
