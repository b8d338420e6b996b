def quicksort(items):
    """A sorted copy."""
    if not items:
        return []
    pivot, *rest = items
    smaller = [item for item in rest if item < pivot]
    others = [item for item in rest if item > pivot]
    return quicksort(smaller) + [pivot] + quicksort(others)
