from unittest import TestCase

from shunting_yard import to_postfix


class ShuntingYardTest(TestCase):
    def test_one_operator(self):
        self.assertEqual(to_postfix([1, "+", 2]), [1, 2, "+"])

    def test_precedence(self):
        self.assertEqual(to_postfix([1, "+", 2, "*", 3]), [1, 2, 3, "*", "+"])

    def test_from_left_to_right(self):
        self.assertEqual(to_postfix([9, "-", 4, "-", 3]), [9, 4, "-", 3, "-"])
