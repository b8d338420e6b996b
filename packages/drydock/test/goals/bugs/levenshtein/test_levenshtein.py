from unittest import TestCase

from levenshtein import levenshtein


class LevenshteinTest(TestCase):
    def test_same_word(self):
        self.assertEqual(levenshtein("harbour", "harbour"), 0)

    def test_spelling(self):
        self.assertEqual(levenshtein("harbour", "harbor"), 1)

    def test_other_word(self):
        self.assertEqual(levenshtein("kitten", "sitting"), 3)

    def test_no_word(self):
        self.assertEqual(levenshtein("", "dock"), 4)
