"""Answers from knowledge bases: it quotes, and says where it stands. It needs no model, and makes nothing up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from drydock_runner import ApiError, Context, HostApi, RunnerError, completed, delta, message, runner, set_state
from quotes import Json, Quote, choose_quotes

_CANDIDATES = 20
_MAX_RANKED = 64
_STATE = "librarian.last"
_MAX_SHOWN = 200
_MORE = re.compile(r"(show )?more|next|mehr|más|mas|encore|plus|更多|もっと", re.IGNORECASE)
_FILTER = re.compile(r"(?:^|\s)(source|format):(\S+)")


@runner(
    {
        "name": "default",
        "label": "Librarian",
        "description": "Answers from knowledge bases with quotations and their sources. It needs no model.",
        "capabilities": {"streaming": True, "knowledge_retrieval": True, "interrupt": True},
        "permissions": {"knowledge_bases": ["list", "retrieve"], "models": ["rerank"]},
        "config_schema": [
            {
                "name": "knowledge-bases",
                "type": "knowledge-base-multi-selector",
                "label": {"en_US": "Knowledge bases"},
                "default": [],
            },
            {
                "name": "quotes",
                "type": "integer",
                "label": {"en_US": "Quotations"},
                "description": {"en_US": "The most quotations of one answer, 1 to 10."},
                "default": 3,
            },
            {
                "name": "rerank-model",
                "type": "rerank-model-selector",
                "label": {"en_US": "Rerank model"},
                "default": "",
            },
            {
                "name": "not-found",
                "type": "text",
                "label": {"en_US": "Answer where nothing is found"},
                "default": "",
            },
        ],
    }
)
def librarian(ctx: Context, api: HostApi) -> Iterator[Json]:
    limit = _read_limit(ctx.config)
    bases = ctx.resources["knowledge_bases"]
    if not bases:
        name = ctx.metadata.get("agent", "NAME")
        raise RunnerError(
            "librarian.config_invalid",
            f"The agent has no knowledge base. Give it one: drydock agent edit {name} "
            """--config '{"knowledge-bases": ["NAME"]}'. `drydock kb add NAME FOLDER` makes one.""",
        )
    question, filters, shown = _read_question(ctx)
    passages = _rank(ctx, api, question, _search(ctx, api, bases, question, filters))
    quotes = choose_quotes(question, passages, limit, frozenset(shown))
    if not quotes:
        yield message(_say_nothing_found(ctx, api, question, bool(shown)))
        return
    yield set_state(
        "conversation",
        _STATE,
        {"question": question, "filters": filters, "shown": [*shown, *(quote.key for quote in quotes)][-_MAX_SHOWN:]},
    )
    parts = [_write(quote) for quote in quotes]
    for index, part in enumerate(parts):
        if ctx.delivery.get("supports_streaming"):
            yield delta(("\n\n" if index else "") + part)
    yield message("\n\n".join(parts))
    yield completed(usage={"input_tokens": 0, "output_tokens": 0})


def _read_limit(config: Json) -> int:
    limit = config.get("quotes", 3)
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 10:
        raise RunnerError("librarian.config_invalid", "The setting `quotes` must be a whole number from 1 to 10.")
    return limit


def _read_question(ctx: Context) -> tuple[str, Json, list[str]]:
    """What is asked, where it is to be searched, and what was quoted before: `more` goes on with the last question."""
    text = (ctx.input.get("text") or "").strip()
    if not text:
        raise RunnerError("librarian.input_error", "The message is empty.")
    last: Any = ctx.state["conversation"].get(_STATE)
    if _MORE.fullmatch(text.strip(" .!?")) and isinstance(last, dict):
        return last["question"], last["filters"], list(last["shown"])
    filters = dict(_FILTER.findall(text))
    question = _FILTER.sub(" ", text).strip()
    if not question:
        raise RunnerError("librarian.input_error", "The message has a filter and no question.")
    return question, filters, []


def _search(ctx: Context, api: HostApi, bases: list[Json], question: str, filters: Json) -> list[Json]:
    """The best of all bases. One that can't be searched does not take the others with it."""
    found: list[Json] = []
    failures: list[ApiError] = []
    for base in bases:
        try:
            params = {"kb_id": base["kb_id"], "query_text": question, "top_k": _CANDIDATES}
            found += api.retrieve_knowledge(**params, **({"filters": filters} if filters else {}))["items"]
        except ApiError as error:
            if error.code == "deadline_exceeded":
                raise
            if error.code == "invalid_argument":
                raise RunnerError("librarian.input_error", str(error)) from error
            failures.append(error)
            ctx.log(f"{base.get('kb_name') or base['kb_id']} was not searched: {error}", "warning")
    if failures and len(failures) == len(bases):
        raise RunnerError("librarian.api_error", f"No knowledge base could be searched: {failures[0]}", retryable=True)
    return sorted(found, key=lambda item: -item["score"])


def _rank(ctx: Context, api: HostApi, question: str, passages: list[Json]) -> list[Json]:
    model_id = ctx.config.get("rerank-model") or ""
    if model_id in ("", "__none__", "__none") or len(passages) < 2:
        return passages
    candidates = passages[:_MAX_RANKED]
    try:
        documents = [passage["text"] for passage in candidates]
        ranked = api.invoke_rerank(model_id=model_id, query=question, documents=documents)["results"]
        return [candidates[each["index"]] for each in ranked]
    except ApiError as error:
        if error.code == "deadline_exceeded":
            raise
        ctx.log(f"The passages were not ranked: {error}", "warning")
        return passages


def _write(quote: Quote) -> str:
    quoted = "\n".join(f"> {line}" for line in quote.text.splitlines())
    return f"{quoted}\n— {quote.source}{f' ({quote.place})' if quote.place else ''}"


def _say_nothing_found(ctx: Context, api: HostApi, question: str, is_rest: bool) -> str:
    if is_rest:
        return f"There is nothing more about “{question}”."
    if ctx.config.get("not-found"):
        return str(ctx.config["not-found"])
    bases = api.list_knowledge_bases()["knowledge_bases"]
    counts = {1: "1 document"}
    names = ", ".join(f"{b['kb_name']} ({counts.get(b['documents'], '%d documents' % b['documents'])})" for b in bases)
    return f"I found nothing about “{question}” in {names}."
