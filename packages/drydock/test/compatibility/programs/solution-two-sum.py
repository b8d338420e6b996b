from typing import List


def two_sum(numbers: List[int], target: int) -> List[int]:
    """Indices of the two numbers that add up to target.

    >>> two_sum([2, 7, 11, 15], 9)
    [0, 1]
    """
    seen = {}
    for i, n in enumerate(numbers):
        if target - n in seen:
            return [seen[target - n], i]
        seen[n] = i
    return []


METADATA = {"author": "us"}


def check(candidate):
    assert candidate([2, 7, 11, 15], 9) == [0, 1]
    assert candidate([3, 3], 6) == [0, 1]
    assert candidate([1], 5) == []


check(two_sum)
