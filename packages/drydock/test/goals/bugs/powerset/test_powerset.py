from unittest import TestCase

from powerset import powerset


class PowersetTest(TestCase):
    def test_of_three(self):
        found = sorted(powerset(["a", "b", "c"]))
        expected = [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "c"], ["b"], ["b", "c"], ["c"]]
        self.assertEqual(found, expected)

    def test_of_nothing(self):
        self.assertEqual(powerset([]), [[]])
