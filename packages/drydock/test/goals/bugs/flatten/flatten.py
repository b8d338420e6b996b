def flatten(items):
    """All that is in nested lists, one after the other."""
    for item in items:
        if isinstance(item, list):
            yield flatten(item)
        else:
            yield item
