from unittest import TestCase

from binary_search import binary_search


class BinarySearchTest(TestCase):
    def test_every_item_is_found(self):
        items = [2, 3, 5, 7, 11, 13]
        self.assertEqual([binary_search(items, item) for item in items], list(range(6)))

    def test_what_is_missing_is_not_found(self):
        items = [2, 3, 5, 7, 11, 13]
        self.assertEqual([binary_search(items, item) for item in (1, 4, 6, 12, 14)], [None] * 5)

    def test_nothing_is_found_in_nothing(self):
        self.assertIsNone(binary_search([], 1))
