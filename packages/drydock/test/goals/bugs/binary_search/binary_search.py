def binary_search(items, wanted):
    """The position of `wanted` in a sorted list, or None."""
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle
        else:
            high = middle
    return None
