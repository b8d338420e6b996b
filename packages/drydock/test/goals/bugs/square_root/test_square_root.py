from unittest import TestCase

from square_root import square_root


class SquareRootTest(TestCase):
    def test_squares(self):
        self.assertEqual([square_root(n * n) for n in range(50)], list(range(50)))

    def test_between_squares(self):
        self.assertEqual([square_root(n) for n in (2, 3, 8, 15, 99)], [1, 1, 2, 3, 9])
