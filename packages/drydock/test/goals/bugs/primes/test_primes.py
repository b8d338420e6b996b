from unittest import TestCase

from primes import primes


class PrimesTest(TestCase):
    def test_up_to_a_prime(self):
        self.assertEqual(primes(13), [2, 3, 5, 7, 11, 13])

    def test_up_to_a_square(self):
        self.assertEqual(primes(25), [2, 3, 5, 7, 11, 13, 17, 19, 23])

    def test_there_is_none_below_two(self):
        self.assertEqual(primes(1), [])
