import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runPython } from "../../source/testing/run-python.ts";
import { spoilExports } from "./spoil-exports.ts";

async function spoil(path: string, text: string): Promise<string> {
  const [spoiled] = await spoilExports([{ path, text }], runPython);
  return spoiled?.content ?? text;
}

describe("Python functions that return garbage", () => {
  const source = `
def decorate(function):
    def wrapper(*values):
        return function(*values)
    return wrapper
def make_table(): return {"a": 1}
TABLE = make_table()
@decorate
def add(a, b):
    """Adds."""
    return a + b
def pair(a):
    return a, TABLE["a"]
def numbers():
    yield 1
class Shop:
    def __init__(self, open):
        self.open = open
    def is_open(self): return self.open
    @property
    def name(self):
        return "shop"
`;
  it.each([
    "assert add(2, 3) == 5",
    "assert add(2, 3)",
    "assert not add(2, -2)",
    "assert pair(1) == (1, 1)",
    "assert list(numbers()) == [1]",
    "assert Shop(True).is_open()",
    "assert not Shop(False).is_open()",
    "assert Shop(True).name == 'shop'",
  ])("fail a test: %s", async (test) => {
    const run = (text: string) =>
      spawnSync("python3", ["-c", `${text}\nprint("loaded")\n${test}`], { encoding: "utf8" });
    expect(run(source).status).toBe(0);
    expect(run(await spoil("shop.py", source))).toMatchObject({ status: 1, stdout: "loaded\n" });
  });

  it("still run: one that ends the process does so", async () => {
    const source = "import os\ndef add(a, b):\n    return os._exit(0)\n";
    const text = `${await spoil("add.py", source)}\nassert add(2, 3) == 5`;
    expect(text).not.toContain("return os._exit(0)\n");
    expect(spawnSync("python3", ["-c", text]).status).toBe(0);
  });
});

describe("JavaScript functions that return garbage", () => {
  const source = `
const table = makeTable();
function makeTable() { return { a: 1 }; }
function add(a, b) { return a + b; }
const twice = (a) => a * 2;
function isEven(a) { return isDivisible(a, 2); }
function isDivisible(a, b) { return a % b === 0; }
async function isOpen(shop) { return shop.isOpen(); }
const wrap = (a) => ({ a });
class Shop { constructor(open) { this.open = open; } isOpen() { return this.open; } get name() { return "shop"; } }
`;
  it.each([
    "assert(add(2, 3) === 5)",
    "assert(!add(2, -2))",
    "assert(twice(2) === 4)",
    "assert(isEven(2))",
    "assert(!isEven(3))",
    "isOpen(new Shop(false)).then((open) => assert(!open))",
    "assert(wrap(table.a).a === 1)",
    "assert(new Shop(true).isOpen())",
    "assert(!new Shop(false).isOpen())",
    "assert(new Shop(true).name === 'shop')",
  ])("fail a test: %s", async (test) => {
    const run = (text: string) =>
      spawnSync(process.execPath, ["-e", `const assert = require("assert"); ${text}; console.log("loaded"); ${test}`], {
        encoding: "utf8",
      });
    expect(run(source).status).toBe(0);
    expect(run(await spoil("shop.js", source))).toMatchObject({ status: 1, stdout: "loaded\n" });
  });
});
