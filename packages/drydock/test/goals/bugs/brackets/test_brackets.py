from unittest import TestCase

from brackets import is_balanced


class BracketsTest(TestCase):
    def test_balanced(self):
        for text in ("", "()", "a[b(c){d}]", "()[]"):
            self.assertTrue(is_balanced(text), text)

    def test_wrong_order(self):
        for text in ("(]", "([)]", ")("):
            self.assertFalse(is_balanced(text), text)

    def test_left_open(self):
        for text in ("(", "[()", "{}{"):
            self.assertFalse(is_balanced(text), text)
