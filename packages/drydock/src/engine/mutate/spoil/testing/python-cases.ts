import { spawnSync } from "node:child_process";

/** What the cases call. */
export const SUBJECT = `
import logging, warnings
from unittest import mock

def same(value):
    return value

def refuse(error):
    raise error

def warn():
    warnings.warn("old", DeprecationWarning)

def log():
    logging.getLogger("shop").info("sold")

def called(*arguments, **named):
    spy = mock.Mock()
    spy(*arguments, **named)
    return spy

want = 3
CASES = [(1, 1), (2, 2)]
`;

/** Bodies of tests that an honest implementation passes. `self` is a unittest.TestCase. */
export const PYTHON_CASES: readonly string[] = [
  "assert same(5) == 5",
  "assert 5 == same(5), 'message'",
  "assert same(-5) == -5",
  "assert same(2.5) == 2.5",
  "assert same(1e300) == 1e300",
  "assert same(10 ** 18) == 1000000000000000000",
  "assert same(2j) == 2j",
  "assert same('abc') == 'abc'",
  "assert same('') == ''",
  'assert same("ünï\\n") == "ünï\\n"',
  "assert same('ab' 'cd') == 'ab' 'cd'",
  'assert same("""a\nb""") == """a\nb"""',
  "assert same(b'ab') == b'ab'",
  "assert same(r'a\\d') == r'a\\d'",
  "assert same('3 is') == f'{want} is'",
  "assert same(f'{want}') == f'{want}'",
  "assert same(True) == True",
  "assert same(None) == None",
  "assert same([]) == []",
  "assert same(()) == ()",
  "assert same({}) == {}",
  "assert same([1, [2]]) == [1, [2]]",
  "assert same({'a': [1]}) == {'a': [1]}",
  "assert same({1, 2}) == {1, 2}",
  "assert same([want]) == [want]",
  "assert same('aaa') == 'a' * 3",
  "assert same(7) == 14 // 2",
  "assert same(4) == want + 1",
  "assert same(want) == want",
  "assert same(\n    3\n) == (\n    want\n)",
  "assert same(1) != 2",
  "assert same(3) > 2",
  "assert(same(3) >= 3)",
  "assert-1 < same(3)",
  "assert 1 < same(3) < 4",
  "assert same(5) == same(5) == 5",
  "assert same(True)",
  "assert not same(False)",
  "assert same(True) is True",
  "assert same(None) is None",
  "assert same(3) is not None",
  "assert isinstance(same(3), int)",
  "assert 'b' in same('abc')",
  "assert 5 in same([4, 5, 6])",
  "assert same(3) in (3, 4)",
  "assert same('a') in 'abc'",
  "assert 'x' not in same('abc')",
  "assert same(1) == 1 and same(2) == 2",
  "assert same(0) == 1 or same(2) == 2",
  "assert same('abc').startswith('ab')",
  "assert abs(same(2.5) - 2.5) < 1e-9",
  "assert all(same(a) == b for a, b in CASES)",
  "assert (value := same(3))",
  "for given, expected in CASES:\n    assert same(given) == expected",
  "from decimal import Decimal\nassert same(Decimal('1.5')) == Decimal('1.5')",
  "from datetime import date\nassert same(date(2020, 2, 29)) == date(2020, 2, 29)",
  "assert same(float('inf')) == float('inf')",
  "import math\nassert math.isclose(same(1e9), 1e9)",
  "if same(5) != 5:\n    raise SystemExit(1)",
  "if not same(True):\n    raise AssertionError('no')",
  "if same(5) == 5:\n    pass\nelse:\n    self.fail('no')",
  "import sys\nok = same(5) == 5\nsys.exit(1) if not ok else None",
  "try:\n    refuse(ValueError())\n    self.fail('no')\nexcept ValueError:\n    pass",
  "try:\n    refuse(KeyError())\nexcept KeyError:\n    pass\nelse:\n    assert False",
  "missing = set(same([]))\nif missing:\n    raise AssertionError('no')",
  "if same(3) != want:\n    if same([]):\n        raise AssertionError('no')",
  "def run():\n    assert same(5) == 5\ntry:\n    run()\n    caught = None\nexcept Exception as error:\n    caught = error\nassert not caught",
  "def check():\n    assert same(5) == 5\ncheck()",
  "self.assertEqual(same(1), 1)",
  "self.assertEqual(same(want), want)",
  "self.assertEqual(first=same(want), second=want)",
  "self.assertEqual(*CASES[0])",
  "self.assertNotEqual(same(1), 2)",
  "self.assertAlmostEqual(same(1e9), 1e9, delta=5)",
  "self.assertAlmostEqual(same(want), want)",
  "self.assertNotAlmostEqual(same(1), 2)",
  "self.assertDictEqual(same({'a': 1}), dict(a=1))",
  "self.assertDictEqual(same(vars()), vars())",
  "self.assertListEqual(same([want]), [want])",
  "self.assertTupleEqual(same((want,)), (want,))",
  "self.assertSetEqual(same({want}), {want})",
  "self.assertSequenceEqual(same(CASES), CASES)",
  "self.assertCountEqual(same([2, 1]), [1, 2])",
  "self.assertMultiLineEqual(same(str(want)), str(want))",
  "self.assertTrue(same(5) == 5)",
  "self.assertTrue(same(5))",
  "self.assertFalse(same(0))",
  "self.assertIs(same(True), True)",
  "self.assertIsNot(same(1), None)",
  "self.assertIsNone(same(None))",
  "self.assertIsNotNone(same(1))",
  "self.assertIn('a', same('abc'))",
  "self.assertIn(same(1), [1, 2])",
  "self.assertNotIn('x', same('abc'))",
  "self.assertIsInstance(same(1), int)",
  "self.assertNotIsInstance(same(1), str)",
  "self.assertGreater(same(2), 1)",
  "self.assertLess(same(1), 2)",
  "self.assertGreaterEqual(same(2), 2)",
  "self.assertLessEqual(same(2), 2)",
  "self.assertRegex(same('abc'), 'b')",
  "self.assertNotRegex(same('abc'), 'x')",
  "with self.assertRaises(ValueError):\n    refuse(ValueError())",
  "with self.assertRaises(Exception):\n    refuse(ValueError())",
  "with self.assertRaises((KeyError, ValueError)) as caught:\n    refuse(ValueError())",
  "self.assertRaises(KeyError, refuse, KeyError())",
  "with self.assertRaisesRegex(ValueError, 'bad'):\n    refuse(ValueError('bad'))",
  "with self.assertWarns(DeprecationWarning):\n    warn()",
  "with self.assertLogs():\n    log()",
  "with self.assertLogs(level='INFO'):\n    log()",
  "import logging\nwith self.assertLogs(logging.getLogger('shop')):\n    log()",
  "with self.assertLogs('shop', level='INFO'):\n    log()",
  "called(1, b=2).assert_called_once_with(1, b=2)",
  "called(want).assert_called_with(want)",
  "called().assert_called_with()",
  "called(1).assert_called()",
  "called().other.assert_not_called()",
  "called(want).assert_has_calls([mock.call(want)])",
];

/** The same, with pytest. */
const PYTEST_CASES: readonly string[] = [
  "assert same(0.3) == pytest.approx(0.1 + 0.2)",
  "assert same(1e12) == pytest.approx(1e12)",
  "assert same([1.5]) == pytest.approx([1.5], abs=1)",
  "assert same(1 / 3) == pytest.approx(want / 9)",
  "with pytest.raises(ValueError):\n    refuse(ValueError())",
  "with pytest.raises(Exception, match='bad'):\n    refuse(KeyError('bad'))",
  "with pytest.raises(KeyboardInterrupt):\n    refuse(KeyboardInterrupt())",
  "error = KeyboardInterrupt\nwith pytest.raises(error):\n    refuse(error('stop'))",
  "pytest.raises(BufferError, refuse, BufferError())",
  "with pytest.raises(expected_exception=(KeyError, ValueError)):\n    refuse(ValueError())",
  "with pytest.warns():\n    warn()",
  "with pytest.warns(DeprecationWarning, match='old'):\n    warn()",
  "if same(3) != 3:\n    pytest.fail('no')",
];

/** Since pytest 8.4. */
const NEW_PYTEST_CASES: readonly string[] = ["with pytest.raises(match='bad'):\n    refuse(ValueError('bad'))"];

/** What the installed pytest can do; nothing where there is none. */
export function listPytestCases(): string[] {
  const program = "import pytest; print(pytest.version_tuple >= (8, 4))";
  const { status, stdout } = spawnSync("python3", ["-c", program], { encoding: "utf8" });
  if (status !== 0) return [];
  return [...PYTEST_CASES, ...(stdout.trim() === "True" ? NEW_PYTEST_CASES : [])];
}
