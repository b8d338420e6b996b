PAIRS = {")": "(", "]": "[", "}": "{"}


def is_balanced(text):
    """Whether every bracket is closed by its own, in the right order."""
    waiting = []
    for character in text:
        if character in PAIRS.values():
            waiting.append(character)
        elif character in PAIRS and (not waiting or waiting.pop() != PAIRS[character]):
            return False
    return True
