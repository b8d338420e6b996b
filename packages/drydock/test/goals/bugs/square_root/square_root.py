def square_root(number):
    """The largest whole number whose square is not above `number`."""
    low, high = 0, number + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle <= number:
            low = middle
        else:
            high = middle + 1
    return low
