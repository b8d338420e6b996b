from unittest import TestCase

from count_bits import count_bits


class CountBitsTest(TestCase):
    def test_all_numbers_up_to_a_thousand(self):
        for number in range(1000):
            self.assertEqual(count_bits(number), bin(number).count("1"))
