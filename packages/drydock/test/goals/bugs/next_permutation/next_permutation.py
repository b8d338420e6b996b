def next_permutation(items):
    """The next larger order of the items; after the last one, the first."""
    items = list(items)
    turn = len(items) - 2
    while turn >= 0 and items[turn] >= items[turn + 1]:
        turn -= 1
    if turn >= 0:
        other = len(items) - 1
        while items[other] < items[turn]:
            other -= 1
        items[turn], items[other] = items[other], items[turn]
    return items[: turn + 1] + items[turn + 1 :][::-1]
