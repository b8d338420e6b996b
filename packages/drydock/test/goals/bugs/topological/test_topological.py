from unittest import TestCase

from topological import order


class OrderTest(TestCase):
    def test_a_chain(self):
        self.assertEqual(order({"sail": ["load"], "load": ["dock"], "dock": []}), ["dock", "load", "sail"])

    def test_a_diamond(self):
        found = order({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []})
        self.assertEqual(found, ["d", "b", "c", "a"])
