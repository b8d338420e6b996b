import { expect, test } from "vitest";
import { applySplices } from "../../source/splice.ts";
import { listScriptCandidates } from "./list-script-candidates.ts";

/** Faults of which a search has to list the remedy: what was forgotten, the faulty source, and what replaces what. */
const FORGOTTEN: [string, string, [string, string]][] = [
  ["an await", "async function last(job) {\n  return job();\n}\n", ["job();", "await job();"]],
  [
    "to wait for all",
    "async function all(fs) {\n  const waits = [];\n  for (const f of fs) waits.push(f());\n  return fs;\n}\n",
    ["  return fs", "  await Promise.all(waits);\n  return fs"],
  ],
  ["that a text may be empty", "const up = (w) => w[0].toUpperCase();\n", ["w[0]", '(w[0] ?? "")']],
  ["dots", "const call = (f, ...args) => f(args);\n", ["f(args)", "f(...args)"]],
  ["what was listed before", "function note(d, k, x) {\n  d[k] = [x];\n}\n", ["[x]", "[...(d[k] ?? []), x]"]],
  [
    "to take out what is used up",
    "function use(d, k) {\n  d[k] -= 1;\n}\n",
    ["-= 1;", "-= 1;\n  if (!d[k]) delete d[k];"],
  ],
  [
    "to turn before",
    "const turn = (rows) => flip(rows).reverse();\n",
    ["flip(rows).reverse()", "flip(rows.reverse())"],
  ],
  ["what comes first", "const top = (rows) => first(order(rows));\n", ["first(order(rows))", "order(first(rows))"]],
  [
    "that nothing may be found",
    "function drop(xs, x) {\n  const at = xs.indexOf(x);\n  xs.splice(at, 1);\n}\n",
    ["  xs.splice", "  if (at >= 0) xs.splice"],
  ],
  ["that digits are no numbers", "const less = (a, b) => a < b;\n", ["a < b", "Number(a) < Number(b)"]],
  ["to copy", "function order(xs) {\n  return xs.sort();\n}\n", ["xs.sort", "[...xs].sort"]],
  [
    "that the others come as well",
    "function find(xs) {\n  for (const x of xs) {\n    const y = x.find();\n    return y;\n  }\n}\n",
    ["    return y", "    if (y) return y"],
  ],
  ["a return", "function two(n) {\n  double(n);\n}\n", ["  double", "  return double"]],
  ["what was there before", "function note(d, k, n) {\n  d[k] = n;\n}\n", ["= n", "= (d[k] ?? 0) + n"]],
  ["the largest so far", "function note(d, k, n) {\n  d[k] = n;\n}\n", ["= n", "= Math.max(d[k] ?? 0, n)"]],
  [
    "that a list ends",
    "function at(xs, i) {\n  if (xs[i] > 0) return i;\n}\n",
    ["xs[i] > 0", "i < xs.length && (xs[i] > 0)"],
  ],
  [
    "how many have to fit",
    "function fit(xs, n) {\n  let i = 0;\n  while (i < xs.length) i++;\n  return n;\n}\n",
    ["i < xs.length", "i + n <= xs.length"],
  ],
  ["to turn a flag", "const flip = (item) => ({ ...item, done: true });\n", ["true", "!item.done"]],
  [
    "a break behind a block",
    "function f(k) {\n  let n = 0;\n  switch (k) {\n    case 1: {\n      n = 1;\n    }\n    default:\n      n = 2;\n  }\n  return n;\n}\n",
    ["n = 1;", "n = 1; break;"],
  ],
];

const listTexts = async (text: string) => {
  const weights = new Map(text.split("\n").map((_, index) => [index + 1, 1]));
  const listed = await listScriptCandidates([{ path: "a.js", text, weights }], { strings: [], numbers: [] }, 1, 5000);
  return listed.map((edit) => applySplices(text, [edit]));
};

test.each(FORGOTTEN)("a remedy is listed where %s was forgotten", async (_, text, [old, fixed]) => {
  expect(text).toContain(old);
  expect(await listTexts(text)).toContain(text.replace(old, () => fixed));
});

test("no candidate has a term that does nothing, or two signs: the plain form is listed", async () => {
  const text = 'function last(n, k) {\n  let m = (n - 1) * 2 + k - 1;\n  m += 1;\n  return "item" + m;\n}\n';
  const texts = await listTexts(text);
  expect(texts.filter((each) => /[-+] (0(?![.\d])|-\d)|\* 1\b|[-+]= 0(?![.\d])/.test(each))).toEqual([]);
  for (const plain of ["m = (n) * 2 + k - 1", "m = (n - 1) * 2 + k;", "m = (n - 1) + k - 1"]) {
    expect(
      texts.some((each) => each.includes(plain)),
      plain,
    ).toBe(true);
  }
  expect(await listTexts('const f = () => "item" + 1;\n')).toContain('const f = () => "item" + 0;\n');
});

test("no candidate hides a statement behind a return", async () => {
  const text = "function find(xs) {\n  if (xs[0]) return 0;\n  return -1;\n}\n";
  expect(await listTexts(text)).not.toContain("function find(xs) {\n  return -1;\n  if (xs[0]) return 0;\n}\n");
});

test("a parameter is among the first that a loop may go on by", async () => {
  const text = "function parts(xs, size) {\n  for (let i = 0; i < xs.length; i += 1) use(i);\n}\n";
  const at = (await listTexts(text)).indexOf(text.replace("i += 1", "i += size"));
  expect(at).toBeGreaterThanOrEqual(0);
  expect(at).toBeLessThan(20);
});

test("another default comes after another number in the same place of the code", async () => {
  const text = "function tries(call, most = 3) {\n  for (let at = 7; at < most; at++) call(at);\n}\n";
  const texts = await listTexts(text);
  expect(texts.indexOf(text.replace("= 7", "= 6"))).toBeGreaterThanOrEqual(0);
  expect(texts.indexOf(text.replace("= 3", "= 4"))).toBeGreaterThan(texts.indexOf(text.replace("= 7", "= 6")));
});
