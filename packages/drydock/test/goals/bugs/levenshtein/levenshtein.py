def levenshtein(one, other):
    """How many letters must be added, removed or replaced to make one word of the other."""
    previous = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, against in enumerate(other, 1):
            replaced = previous[column - 1] + 1
            current.append(min(previous[column] + 1, current[-1] + 1, replaced))
        previous = current
    return previous[-1]
