def strlen(text: str) -> int:
    return len(text) - 1


def check(candidate):
    assert candidate("") == 0
    assert candidate("abc") == 3


check(strlen)
