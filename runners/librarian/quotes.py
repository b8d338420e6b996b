"""Chooses what to quote: the sentences of the passages that are about the question."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from words import find_terms

Json = dict[str, Any]

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？])")
_CODE_FENCE = re.compile(r"^\s*(```|~~~)")
_MAX_QUOTE_CHARS = 600
_MIN_SHARE = 0.34


@dataclass
class Quote:
    text: str
    source: str
    place: str
    score: float
    key: str


@dataclass
class _Sentence:
    text: str
    terms: frozenset[str] = field(default_factory=frozenset)


def choose_quotes(question: str, passages: list[Json], limit: int, shown: frozenset[str]) -> list[Quote]:
    """The best quotations, at most one of a passage, without those that were shown. Empty where none fits."""
    asked = list(dict.fromkeys(find_terms(question)))
    divided = [(passage, [_read(text) for text in split_sentences(passage["text"])]) for passage in passages]
    weights = _weigh(asked, [sentence for _, sentences in divided for sentence in sentences])
    total = sum(weights.values())
    if total == 0:
        return []
    quotes = []
    for rank, (passage, sentences) in enumerate(divided):
        headings = frozenset(find_terms(str((passage.get("metadata") or {}).get("heading") or "")))
        quote = _quote(passage, sentences, headings, weights)
        # What the search found first is better where two sentences are equal.
        quote.score = quote.score / total - rank / 1000
        if quote.score >= _MIN_SHARE and quote.key not in shown:
            quotes.append(quote)
    best: dict[str, Quote] = {}
    for quote in sorted(quotes, key=lambda quote: -quote.score):
        best.setdefault(" ".join(quote.text.split()), quote)
    return list(best.values())[:limit]


def split_sentences(text: str) -> list[str]:
    """Sentences, lines of lists and tables, and blocks of code, each as a whole. Headings are left out."""
    found: list[str] = []
    for block in _split_blocks(text):
        if _CODE_FENCE.match(block):
            found.append(block)
            continue
        lines: list[str] = []
        for line in block.splitlines():
            if line.lstrip().startswith("#"):
                continue
            starts = re.match(r"\s*([-*+•|]|\d+[.)])\s?", line)
            if starts or not lines:
                lines.append(line.strip())
            else:
                lines[-1] += f" {line.strip()}"
        for line in lines:
            found += [part.strip() for part in _SENTENCE_END.split(line) if part.strip()]
    return found


def _split_blocks(text: str) -> list[str]:
    blocks, block, in_code = [], [], False
    for line in text.splitlines():
        if _CODE_FENCE.match(line):
            if not in_code:
                blocks.append("\n".join(block))
                block = []
            block.append(line)
            in_code = not in_code
            if not in_code:
                blocks.append("\n".join(block))
                block = []
        elif line.strip() or in_code:
            block.append(line)
        else:
            blocks.append("\n".join(block))
            block = []
    return [block for block in [*blocks, "\n".join(block)] if block.strip()]


def _read(text: str) -> _Sentence:
    return _Sentence(text, frozenset(find_terms(text)))


def _weigh(asked: list[str], sentences: list[_Sentence]) -> dict[str, float]:
    """A word that few sentences have says more. One that none has still counts: it was asked for."""
    count = len(sentences) + 1
    return {term: math.log(1 + count / (1 + sum(term in sentence.terms for sentence in sentences))) for term in asked}


def _quote(passage: Json, sentences: list[_Sentence], headings: frozenset[str], weights: dict[str, float]) -> Quote:
    """The best sentence, with its neighbours as long as they add words of the question."""

    def value(first: int, last: int) -> float:
        terms = frozenset().union(*(sentence.terms for sentence in sentences[first : last + 1]))
        own = sum(weight for term, weight in weights.items() if term in terms)
        above = sum(weight for term, weight in weights.items() if term not in terms and term in headings)
        return own + above / 2 if own or above else 0.0

    if not sentences:
        return Quote("", passage["source"], "", 0.0, "")
    first = last = max(range(len(sentences)), key=lambda at: (value(at, at), -at))
    while True:
        wider = [(first - 1, last), (first, last + 1)]
        wider = [(a, b) for a, b in wider if a >= 0 and b < len(sentences) and _length(sentences, a, b)]
        better = [(a, b) for a, b in wider if value(a, b) > value(first, last)]
        if not better:
            break
        first, last = max(better, key=lambda ends: value(*ends))
    if last + 1 < len(sentences) and last == first and len(sentences[first].text) < 80:
        # A short sentence is rarely understood alone.
        last += _length(sentences, first, last + 1)
    text = _join(sentences[first : last + 1])
    key = f"{passage['source']}:{passage['position']}"
    return Quote(text, passage["source"], describe_place(passage), value(first, last), key)


def _length(sentences: list[_Sentence], first: int, last: int) -> bool:
    return len(_join(sentences[first : last + 1])) <= _MAX_QUOTE_CHARS


def _join(sentences: list[_Sentence]) -> str:
    text = ""
    for sentence in sentences:
        is_line = re.match(r"[-*+•|]|\d+[.)]|```|~~~", sentence.text)
        text += ("\n" if is_line and text else " " if text else "") + sentence.text
    return text if len(text) <= _MAX_QUOTE_CHARS else f"{text[:_MAX_QUOTE_CHARS].rstrip()} …"


def describe_place(passage: Json) -> str:
    metadata = passage.get("metadata") or {}
    parts = []
    if metadata.get("heading"):
        heading = metadata["heading"]
        parts.append(" > ".join(heading) if isinstance(heading, list) else str(heading))
    for name in ("page", "line", "rows"):
        if metadata.get(name):
            value = metadata[name]
            parts.append(f"{name} {'-'.join(map(str, value)) if isinstance(value, list) else value}")
            break
    return ", ".join(parts)
