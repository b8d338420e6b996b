import pytest

from words import frequent, is_palindrome, tokens, wrap


def test_tokens():
    assert tokens("It's a Test, a test!") == ["it's", "a", "test", "a", "test"]


def test_frequent():
    text = "the cat and the dog and the bird"
    assert frequent(text, 2) == [("the", 3), ("and", 2)]
    assert frequent(text, ignore=("the", "and")) == [("bird", 1), ("cat", 1), ("dog", 1)]


def test_wrap():
    assert wrap("one two three four", 9) == ["one two", "three", "four"]
    assert wrap("", 5) == []
    with pytest.raises(ValueError):
        wrap("a", 0)


def test_palindrome():
    assert is_palindrome("A man, a plan, a canal: Panama")
    assert not is_palindrome("abca")
