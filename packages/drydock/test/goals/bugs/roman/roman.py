VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def from_roman(text):
    """The number that a Roman numeral stands for."""
    numbers = [VALUES[letter] for letter in text]
    total = 0
    for number, following in zip(numbers, [*numbers[1:], 0]):
        total += -number if number <= following else number
    return total
