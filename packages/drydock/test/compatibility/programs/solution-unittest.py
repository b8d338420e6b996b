# file
import unittest


def is_palindrome(text):
    kept = [c.lower() for c in text if c.isalnum()]
    return kept == kept[::-1]


class PalindromeTest(unittest.TestCase):
    def test_sentence(self):
        self.assertTrue(is_palindrome("A man, a plan, a canal: Panama"))

    def test_no(self):
        self.assertFalse(is_palindrome("ab"))

    def test_fails(self):
        self.assertEqual(is_palindrome("aa"), False)


if __name__ == "__main__":
    unittest.main(verbosity=0, exit=True)
