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

/** Numbers of which none may become one that does nothing. */
const COUNTS = "def last(n, k):\n    m = (n - 1) * 2 + k - 1\n    m += 1\n    return m\n";
const HIDDEN = "def find(xs, x):\n    if xs[0] == x:\n        return 0\n    return -1\n";
const SOURCES = [...FORGOTTEN.map(([, text]) => text), COUNTS, HIDDEN];
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
