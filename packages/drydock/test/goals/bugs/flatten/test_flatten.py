from unittest import TestCase

from flatten import flatten


class FlattenTest(TestCase):
    def test_nested(self):
        self.assertEqual(list(flatten([1, [2, [3, [4]], 5], [], 6])), [1, 2, 3, 4, 5, 6])

    def test_flat(self):
        self.assertEqual(list(flatten(["a", "b"])), ["a", "b"])
