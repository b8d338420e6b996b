/**
 * A function that subtracts, and what shows it. By unittest, which starts in a fraction of pytest's time: each goal
 * starts it several times.
 */
export const BROKEN = "def add(a, b):\n    return a - b\n";
export const FIXED = "def add(a, b):\n    return a + b\n";
const TEST = `import unittest
from add import add


class AddTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
`;
export const FILES = { "add.py": BROKEN, "test_add.py": TEST };
export const UNITTEST = "python -m unittest -q";
