def powerset(items):
    """Every selection of the items, each in their order."""
    if not items:
        return [[]]
    first, *rest = items
    without = powerset(rest)
    return [[first, *chosen] for chosen in without]
