from unittest import TestCase

from run_lengths import run_lengths


class RunLengthsTest(TestCase):
    def test_runs(self):
        self.assertEqual(run_lengths("aaabcc"), [("a", 3), ("b", 1), ("c", 2)])

    def test_one_run(self):
        self.assertEqual(run_lengths("zzz"), [("z", 3)])

    def test_nothing(self):
        self.assertEqual(run_lengths(""), [])
