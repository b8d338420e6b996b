from unittest import TestCase

from gcd import gcd


class GcdTest(TestCase):
    def test_common_factor(self):
        self.assertEqual(gcd(84, 36), 12)

    def test_no_common_factor(self):
        self.assertEqual(gcd(35, 64), 1)

    def test_zero(self):
        self.assertEqual(gcd(7, 0), 7)
