"""Which distribution has a module: those that code of agents uses most. For others there is no answer.

A name is no answer by itself: a distribution that is called like a module may be somebody else's.
"""

from __future__ import annotations

_SAME_NAME = (
    "Levenshtein PyPDF2 aiofiles aiohttp aiosqlite anthropic arxiv asyncpg azure.identity azure.storage.blob boto3 "
    "chromadb crewai ddgs docker duckduckgo_search elasticsearch fastapi fastmcp feedparser flask google.api_core "
    "google.auth google.cloud.aiplatform google.cloud.bigquery google.cloud.discoveryengine google.cloud.documentai "
    "google.cloud.firestore google.cloud.logging google.cloud.pubsub google.cloud.spanner google.cloud.speech "
    "google.cloud.storage google.cloud.texttospeech google.cloud.vision google.generativeai google_auth_oauthlib "
    "googlemaps gradio groq httpx jinja2 jsonschema keras langchain langchain_anthropic langchain_chroma "
    "langchain_community langchain_core langchain_experimental langchain_google_genai langchain_google_vertexai "
    "langchain_ollama langchain_openai langchain_text_splitters langfuse langgraph langsmith litellm "
    "llama_index.core lxml markdown markdownify matplotlib mcp mistralai neo4j nest_asyncio networkx nltk "
    "notion_client numpy ollama openai openpyxl pandas pdfplumber pgvector playwright plotly polars praw psycopg "
    "pydantic_ai pydantic_settings pymongo pypdf pytz qdrant_client redis reportlab requests rich scipy seaborn "
    "selenium sentence_transformers slack_sdk sqlalchemy sqlmodel streamlit stripe sympy tabulate tenacity textblob "
    "tiktoken toolbox_core torch tqdm trafilatura transformers tweepy twilio uvicorn websockets wikipedia xgboost "
    "yfinance youtube_transcript_api"
)

_OTHER_NAME = {
    "Bio": "biopython",
    "Crypto": "pycryptodome",
    "MySQLdb": "mysqlclient",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "a2a": "a2a-sdk",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "bson": "pymongo",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "discord": "discord.py",
    "dns": "dnspython",
    "docx": "python-docx",
    "faiss": "faiss-cpu",
    "firecrawl": "firecrawl-py",
    "fitz": "pymupdf",
    "git": "gitpython",
    "github": "pygithub",
    "google.cloud.dataplex_v1": "google-cloud-dataplex",
    "google.cloud.discoveryengine_v1": "google-cloud-discoveryengine",
    "google.cloud.modelarmor_v1": "google-cloud-modelarmor",
    "google.cloud.pubsub_v1": "google-cloud-pubsub",
    "google.cloud.run_v2": "google-cloud-run",
    "google.cloud.secretmanager": "google-cloud-secret-manager",
    "google.cloud.tasks_v2": "google-cloud-tasks",
    "google.cloud.translate_v2": "google-cloud-translate",
    "google.oauth2": "google-auth",
    "google.protobuf": "protobuf",
    "googleapiclient": "google-api-python-client",
    "grpc": "grpcio",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "multipart": "python-multipart",
    "nacl": "pynacl",
    "newsapi": "newsapi-python",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "serial": "pyserial",
    "serpapi": "google-search-results",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "tavily": "tavily-python",
    "telegram": "python-telegram-bot",
    "umap": "umap-learn",
    "vertexai": "google-cloud-aiplatform",
    "websocket": "websocket-client",
    "wikipediaapi": "wikipedia-api",
    "win32api": "pywin32",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}

_DISTRIBUTIONS = {name: name.replace("_", "-").replace(".", "-").lower() for name in _SAME_NAME.split()} | _OTHER_NAME
_NAMESPACES = frozenset(
    ".".join(name.split(".")[:count]) for name in _DISTRIBUTIONS for count in range(1, name.count(".") + 1)
)


def distribution_of(module: str) -> str | None:
    """The distribution that has a module, as `module_of` names it; None if that is not known for sure."""
    return _DISTRIBUTIONS.get(module)


def is_namespace(name: str) -> bool:
    """Whether several distributions have parts of a package, and none has all of it."""
    return name in _NAMESPACES


def module_of(name: str) -> str:
    """The module that is there or not as a whole: the first part of a name, and of a namespace the first part in it."""
    parts = name.split(".")
    first = next((n for n in range(1, len(parts)) if not is_namespace(".".join(parts[:n]))), len(parts))
    return ".".join(parts[:first])
