def run_lengths(text):
    """Letters that follow each other, counted: "aab" is [("a", 2), ("b", 1)]."""
    runs = []
    count = 0
    for position, letter in enumerate(text):
        count += 1
        is_last = position + 1 == len(text)
        if is_last or text[position + 1] != letter:
            runs.append((letter, count))
            count = 1
    return runs
