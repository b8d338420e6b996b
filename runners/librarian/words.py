"""Words of a text, so that a question and a sentence can be compared. No language is assumed."""

from __future__ import annotations

import re
import unicodedata

# Scripts without spaces between words: pairs of signs take the place of words.
_JOINED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_WORD = re.compile(rf"[{_JOINED}]+|[^\W_{_JOINED}]+(?:['’][^\W_]+)?")
_IS_JOINED = re.compile(rf"[{_JOINED}]")
_ENDINGS = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")
_MIN_STEM = 3

# Words that say nothing about the subject of a question.
_COMMON = frozenset(
    """a about an and any are as at be been by can could did do does for from give had has have how i if in into is it
    its me my of on or our please show so some tell than that the their them then there these they this to us was we
    were what when where which who why will with would you your
    das dem den der des die ein eine einen einer es für ich im ist mit sich sie und von was wer wie wo zu
    como con de del el en es la las lo los para por qué que un una y au aux ce dans des du est et les le où pour quel
    quelle qui sur une""".split()
)


def find_terms(text: str) -> list[str]:
    """The words of a text in their order, without accents, endings and the most common words."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = unicodedata.normalize("NFC", "".join(sign for sign in plain if not _is_accent(sign)))
    terms: list[str] = []
    for word in _WORD.findall(plain):
        if _IS_JOINED.match(word):
            terms += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        elif word not in _COMMON:
            terms.append(_cut_ending(word))
    return terms


def _is_accent(sign: str) -> bool:
    # Marks of Japanese and of Indic scripts make another letter; those of Latin, Greek and Cyrillic do not.
    return "\u0300" <= sign <= "\u036f"


def _cut_ending(word: str) -> str:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _MIN_STEM:
            return _even(stem)
    return _even(word)


def _even(stem: str) -> str:
    """`stopped` and `stop`, `tries` and `try`, `make` and `making` have one stem."""
    if len(stem) > _MIN_STEM and stem[-1] == stem[-2]:
        return stem[:-1]
    return stem[:-1] if len(stem) > _MIN_STEM and stem[-1] in "eyi" else stem
