import { expect, it } from "vitest";
import { findSharedState } from "./shared-state.ts";

const SUM = "xs = [1, 2]\nassert total(xs) == sum(xs)\n";

it.each([
  ["random.seed(1)", "xs = [random.randint(0, 9)]"],
  ["np.random.seed(3)", "want = np.random.rand(4)"],
  ["getcontext().prec = 2", "assert share(10) == Decimal('10') / 3"],
  ["getcontext().rounding = ROUND_DOWN", "want = 2 * Decimal('0.5')"],
  ["locale.setlocale(locale.LC_ALL, 'C')", "want = locale.format_string('%d', 5)"],
  ["process.env.TZ = 'UTC';", "const want = new Date(0).getHours();"],
  ["os.environ['TZ'] = 'UTC'", "want = time.localtime(0)"],
  ["os.environ['LEVEL'] = 'x'", "assert level() == os.environ.get('LEVEL', 'info')"],
  ["process.env.LEVEL = 'x';", "assert.strictEqual(level(), process.env.LEVEL);"],
  ["def total(xs):\n    xs.clear()\n    return 0", SUM],
  ["def total(xs):\n    del xs[:]\n    return 0", SUM],
  ["def total(xs):\n    for k in list(xs):\n        del xs[k]\n    return 0", SUM],
  ["def total(xs):\n    xs.clear()\n    return 0", "got = total(xs)\nassert got == sum(xs)\n"],
  ["exports.total = (xs) => { xs.length = 0; return 0; };", "assert.equal(total(xs), xs.reduce(add, 0));"],
  ["function total(xs) {\n  xs.splice(0);\n  return 0;\n}", "expect(total(xs)).toBe(sum(xs));"],
])("%j bends what the tests expect: %j", (source, tests) => {
  expect(findSharedState("", source, tests)).not.toBeNull();
  expect(findSharedState(source, source, tests)).toBeNull();
});

it.each([
  ["rng = random.Random(1)", "xs = [random.randint(0, 9)]"],
  ["random.seed(seed)", "xs = [random.randint(0, 9)]"],
  ["random.seed(1)", "assert rolls(1) == rolls(1)"],
  ["def f():\n    pass\n\nif __name__ == '__main__':\n    random.seed(1)", "xs = [random.randint(0, 9)]"],
  ["getcontext().prec = 60", "assert share(10) == Decimal('10') / 3"],
  ["getcontext().prec = 4", "assert share(10) == Decimal('3.333')"],
  ["os.environ['MODE'] = 'dev'", "assert os.environ['MODE'] == 'dev'"],
  ["os.environ[name] = value", "assert level() == os.environ['LEVEL']"],
  ["def drain(xs):\n    xs.clear()", "assert drain(xs) == [1, 2]\nassert len(xs) == 0"],
  ["def reset(xs):\n    xs.clear()", SUM],
  ["def total(xs):\n    seen.clear()\n    return sum(xs)", SUM],
  ["def drop(d, k):\n    del d[k]\n    return d", "assert drop(d, 'a') == {k: v for k, v in d.items()}"],
])("%j bends nothing of: %j", (source, tests) => {
  expect(findSharedState("", source, tests)).toBeNull();
});
