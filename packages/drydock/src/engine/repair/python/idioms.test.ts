import { beforeAll, expect, test } from "vitest";
import { applySplices } from "../../source/splice.ts";
import { runPython } from "../../source/testing/run-python.ts";
import { LIST_PROGRAM } from "./list-program.ts";

/** Faults of which a search has to list the remedy: what was forgotten, the faulty source, and what replaces what. */
const FORGOTTEN: [string, string, [string, string]][] = [
  ["an await", "async def last(job):\n    return job()\n", ["job()", "await job()"]],
  ["by what it goes on", "def at(n, size):\n    i = 0\n    while i < n:\n        i += 1\n", ["i += 1", "i += size"]],
  ["to take it out", "def get(d, k):\n    v = d[k]\n    d[k] = v\n", ["v = d[k]", "v = d.pop(k)"]],
  ["to go on", "def rest(n, by):\n    if n >= by:\n        n -= by\n    return n\n", ["if n", "while n"]],
  ["an asterisk", "def call(f, *args):\n    return f(args)\n", ["f(args)", "f(*args)"]],
  ["that a list ends", "def at(xs, i):\n    if xs[i] > 0:\n        return i\n", ["xs[i] >", "i < len(xs) and xs[i] >"]],
  ["what was counted before", "def note(d, k, n):\n    d[k] = n\n", ["= n", "= d.get(k, 0) + n"]],
  ["to copy", "def keep(d):\n    e = d\n    e.update(a=1)\n    return e\n", ["e = d", "e = dict(d)"]],
  ["a minus in a key", "def best(ps):\n    return sorted(ps, key=lambda p: (p.n, p.name))\n", ["(p.n", "(-p.n"]],
  ["white space", "def tag(t, a, b):\n    name = t[a:b]\n    return name\n", ["t[a:b]", "t[a:b].strip()"]],
  ["upper case", 'def word(t):\n    return t.strip("!")\n', ['("!")', '("!").lower()']],
  ["a width", 'def cents(n):\n    return f"{n // 100}.{n % 100}"\n', ["{n % 100}", "{n % 100:02d}"]],
  ["what was listed before", "def note(d, k, x):\n    d[k] = [x]\n", ["= [x]", "= d.get(k, []) + [x]"]],
  [
    "to take out what is used up",
    "def use(d, k):\n    d[k] -= 1\n",
    ["d[k] -= 1\n", "d[k] -= 1\n    if not d[k]:\n        del d[k]\n"],
  ],
  ["to turn before", "def turn(rows):\n    return flip(rows)[::-1]\n", ["flip(rows)[::-1]", "flip(rows[::-1])"]],
  [
    "what comes first",
    "def top(rows):\n    return first(sorted(rows))\n",
    ["first(sorted(rows))", "sorted(first(rows))"],
  ],
  [
    "that nothing may be found",
    "def cut(t, c):\n    at = t.find(c)\n    t = t[:at]\n    return t\n",
    ["    t = t[:at]", "    if at >= 0:\n        t = t[:at]"],
  ],
  ["that digits are no numbers", "def less(a, b):\n    return a < b\n", ["a < b", "int(a) < int(b)"]],
  [
    "the last number",
    "def all(t):\n    out = []\n    n = t\n    for c in t:\n        out.append(int(n))\n    return out\n",
    ["    return out", "    if n:\n        out.append(int(n))\n    return out"],
  ],
  [
    "that an object may be missing",
    "def ends(node):\n    if node.after is None:\n        return True\n",
    ["if node.after", "if node is None or node.after"],
  ],
  [
    "that an object may be missing, where something is wanted of it",
    "def big(node):\n    while node.size > 3:\n        node = node.left\n",
    ["while node.size", "while node is not None and node.size"],
  ],
  ["brackets", "def c(f):\n    return f - 32 * 5 / 9\n", ["f - 32", "(f - 32)"]],
  ["an operand", "def go(n, w, q):\n    q.push((w, n))\n    return w * 2, n\n", ["((w", "((n + w"]],
  [
    "to wrap it as the other",
    'def pair(k, v):\n    return "%s=%s" % (esc(str(k)), v)\n',
    ["k)), v)", "k)), esc(str(v)))"],
  ],
  [
    "which of the imported ones",
    "from decimal import HALF_DOWN, HALF_UP\n\ndef cents(n):\n    return n.round(HALF_DOWN)\n",
    ["n.round(HALF_DOWN)", "n.round(HALF_UP)"],
  ],
  ["the form", 'def plain(t):\n    return norm("NFC", t)\n', ['"NFC"', "'NFD'"]],
  [
    "that the others come as well",
    "def find(xs):\n    for x in xs:\n        y = x.find()\n        return y\n",
    ["        return y", "        if y:\n            return y"],
  ],
  ["a return", "def two(n):\n    double(n)\n\ndef double(n):\n    return 2 * n\n", ["double(n)", "return double(n)"]],
  [
    "to begin anew",
    'def runs(t):\n    n = ""\n    for c in t:\n        if c:\n            n += c\n        else:\n            use(n)\n',
    ["use(n)\n", 'use(n)\n            n = ""\n'],
  ],
  [
    "what is left over",
    "def split(t):\n    out = []\n    cur = t\n    for c in t:\n        out.append(cur)\n    return out\n",
    ["    return out", "    if cur:\n        out.append(cur)\n    return out"],
  ],
  [
    "to refuse",
    "class Empty(Exception):\n    pass\n\nclass Box:\n    def take(self, n):\n        self.left -= n\n",
    ["        self.left", "        if n > self.left:\n            raise Empty\n        self.left"],
  ],
  [
    "whose name it is",
    "def f():\n    n = 0\n    def g():\n        n = n + 1\n    return g\n",
    ["        n =", "        nonlocal n\n        n ="],
  ],
];

const CALLS =
  "class Cache:\n    def get(self, key):\n        return self.data[key]\n\n    def put(self, key, value):\n        self.data.move_to_end(key)\n        self.data[key] = value\n";
/** What one method refuses, and the other does not. */
const REFUSES =
  "class Account:\n    def put(self, amount):\n        if amount <= 0:\n            raise ValueError(amount)\n        self.left += amount\n\n    def take(self, amount):\n        self.left -= amount\n";
/** A count that ends too early, and a default that has nothing to do with it. */
const TRIES = "def tries(call, most=3):\n    for at in range(1, most):\n        call(at)\n";
/** Numbers of which none may become one that does nothing. */
const COUNTS = "def last(n, k):\n    m = (n - 1) * 2 + k - 1\n    m += 1\n    return m\n";
const HIDDEN = "def find(xs, x):\n    if xs[0] == x:\n        return 0\n    return -1\n";
const SOURCES = [...FORGOTTEN.map(([, text]) => text), REFUSES, TRIES, CALLS, COUNTS, HIDDEN];
const changed: string[][] = SOURCES.map(() => []);

/** Starting Python costs more than listing: all sources go to one process. */
beforeAll(async () => {
  const files = SOURCES.map((text) => ({
    text,
    weights: Object.fromEntries(text.split("\n").map((_, index) => [index + 1, 1])),
  }));
  const request = { files, hints: { strings: [], numbers: [] }, seed: 1, limit: 50_000 };
  const { candidates } = JSON.parse(await runPython(LIST_PROGRAM, JSON.stringify(request)));
  for (const [file, start, end, replacement] of candidates) {
    changed[file]?.push(applySplices(SOURCES[file] ?? "", [{ start, end, replacement }]));
  }
});

test.each(FORGOTTEN.map((fault, index) => ({ fault, index, name: fault[0] })))(
  "a remedy is listed where $name was forgotten",
  ({ fault: [name, text, [old, fixed]], index }) => {
    expect(text, name).toContain(old);
    expect(changed[index], name).toContain(text.replace(old, () => fixed));
  },
);

test("no candidate has a term that does nothing, or two signs: the plain form is listed", () => {
  const texts = changed.at(-2) ?? [];
  expect(texts.filter((text) => /[-+] (0(?![.\d])|-\d)|\* 1\b|[-+]= 0(?![.\d])/.test(text))).toEqual([]);
  for (const plain of ["m = (n) * 2 + k - 1", "m = (n - 1) * 2 + k\n", "m = (n - 1) + k - 1"]) {
    expect(
      texts.some((text) => text.includes(plain)),
      plain,
    ).toBe(true);
  }
});

test("a call that another method makes comes before most other statements", () => {
  const at = changed
    .at(-3)
    ?.indexOf(CALLS.replace("        return", "        self.data.move_to_end(key)\n        return"));
  expect(at).toBeGreaterThanOrEqual(0);
  expect(at).toBeLessThan(120);
});

test("what another function refuses is refused in its words before in others", () => {
  const refuse = (test: string) => {
    const [head, tail] = [REFUSES.slice(0, REFUSES.lastIndexOf("        self")), "        self.left -= amount\n"];
    return changed.at(-5)?.indexOf(`${head}        if ${test}:\n            raise ValueError(amount)\n${tail}`) ?? -1;
  };
  expect(refuse("amount <= 0")).toBeGreaterThanOrEqual(0);
  expect(refuse("amount < 0")).toBeGreaterThan(refuse("amount <= 0"));
  expect(refuse("amount <= 0")).toBeLessThan(60);
});

test("what a count ends with comes before what it begins with, and a default comes last", () => {
  const at = (old: string, fixed: string) => changed.at(-4)?.indexOf(TRIES.replace(old, fixed)) ?? -1;
  expect(at("most)", "most + 1)")).toBeGreaterThanOrEqual(0);
  expect(at("(1, ", "(0, ")).toBeGreaterThan(at("most)", "most + 1)"));
  expect(at("most=3", "most=4")).toBeGreaterThan(at("(1, ", "(0, "));
});

test("no candidate hides a statement behind a return", () => {
  expect(changed.at(-1)).not.toContain("def find(xs, x):\n    return -1\n    if xs[0] == x:\n        return 0\n");
  expect(changed.at(-1)?.length).toBeGreaterThan(50);
});

const LONG = Array.from(
  { length: 2850 },
  (_, at) => `def f${at}(a, b):\n    c = a + ${at}\n    if c > b:\n        return c\n    return b\n\n\n`,
).join("");

test.each([
  ["an edit", "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"],
  ["a missing colon", "def add(a, b)\n    return a + b\n", "def add(a, b):\n    return a + b\n"],
])("in a file of 20,000 lines %s is listed among few, where failing tests come", async (_, wrong, right) => {
  const last = LONG.split("\n").length;
  // Each function is made when the module is loaded: that is no reason to look into it.
  const made = Array.from({ length: 2850 }, (_, at) => [at * 7 + 1, 0.25]);
  const weights = Object.fromEntries([...made, [last + 1, 1]]);
  const text = LONG + wrong;
  const request = { files: [{ text, weights }], hints: { strings: [], numbers: [] }, seed: 1, limit: 5000 };
  const { found, candidates } = JSON.parse(await runPython(LIST_PROGRAM, JSON.stringify(request)));
  const texts = candidates.map(([, start, end, replacement]: [number, number, number, string]) =>
    applySplices(text, [{ start, end, replacement }]).slice(LONG.length),
  );
  expect(found).toBeLessThan(2000);
  expect(texts).toContain(right);
});
