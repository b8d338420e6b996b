def add(a, b):
    """The sum of two numbers."""
    return a - b


def mean(numbers):
    """The arithmetic mean. No numbers have none."""
    total = 0
    for number in numbers:
        total = add(total, number)
    return total / len(numbers)
