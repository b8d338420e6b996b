from itertools import permutations
from unittest import TestCase

from next_permutation import next_permutation


class NextPermutationTest(TestCase):
    def test_all_of_four(self):
        orders = [list(order) for order in permutations([1, 2, 3, 4])]
        self.assertEqual([next_permutation(order) for order in orders], [*orders[1:], orders[0]])

    def test_with_the_same_item_twice(self):
        self.assertEqual(next_permutation([1, 2, 2]), [2, 1, 2])
        self.assertEqual(next_permutation([1, 3, 1, 1]), [3, 1, 1, 1])
        self.assertEqual(next_permutation([2, 1, 2, 1]), [2, 2, 1, 1])
