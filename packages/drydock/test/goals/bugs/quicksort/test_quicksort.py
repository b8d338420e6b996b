from unittest import TestCase

from quicksort import quicksort


class QuicksortTest(TestCase):
    def test_sorts(self):
        self.assertEqual(quicksort([5, 2, 9, 1]), [1, 2, 5, 9])

    def test_keeps_what_occurs_twice(self):
        self.assertEqual(quicksort([3, 1, 3, 2, 1]), [1, 1, 2, 3, 3])

    def test_nothing(self):
        self.assertEqual(quicksort([]), [])
