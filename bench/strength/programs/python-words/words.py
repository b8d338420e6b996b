import re
from collections import Counter


def tokens(text):
    return re.findall(r"[a-z']+", text.lower())


def frequent(text, count=3, ignore=()):
    counted = Counter(word for word in tokens(text) if word not in ignore and len(word) > 1)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:count]


def wrap(text, width):
    if width < 1:
        raise ValueError("a width is at least 1")
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    return lines


def is_palindrome(text):
    letters = [char for char in text.lower() if char.isalnum()]
    left, right = 0, len(letters) - 1
    while left < right:
        if letters[left] != letters[right]:
            return False
        left += 1
        right -= 1
    return True
