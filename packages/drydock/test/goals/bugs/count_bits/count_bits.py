def count_bits(number):
    """How many bits of a number are set."""
    count = 0
    while number:
        number ^= number - 1
        count += 1
    return count
