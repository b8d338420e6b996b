from unittest import TestCase

from roman import from_roman


class RomanTest(TestCase):
    def test_added(self):
        self.assertEqual(from_roman("MDCLXVI"), 1666)

    def test_subtracted(self):
        self.assertEqual([from_roman(text) for text in ("IV", "IX", "XL", "MCMXC")], [4, 9, 40, 1990])

    def test_repeated(self):
        self.assertEqual([from_roman(text) for text in ("III", "XX", "MMM")], [3, 20, 3000])
