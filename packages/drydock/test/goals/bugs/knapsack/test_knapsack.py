from unittest import TestCase

from knapsack import best_value


class KnapsackTest(TestCase):
    def test_the_best_fit(self):
        self.assertEqual(best_value([(12, 4), (2, 2), (1, 1), (4, 10), (1, 2)], 15), 15)

    def test_nothing_is_taken_twice(self):
        self.assertEqual(best_value([(3, 5)], 9), 5)

    def test_no_room(self):
        self.assertEqual(best_value([(1, 9)], 0), 0)
