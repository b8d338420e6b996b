def best_value(goods, room):
    """The most that can be carried. Goods are pairs of weight and value, each there once."""
    best = [0] * (room + 1)
    for weight, value in goods:
        for space in range(weight, room + 1):
            best[space] = max(best[space], best[space - weight] + value)
    return best[room]
