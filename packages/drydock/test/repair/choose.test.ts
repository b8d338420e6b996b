import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { RepairCandidate } from "../../src/engine/repair/index.ts";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

const test = openTestDock();

/** What is bought twice is counted as one more. Nothing tests which line is found, and nothing a price over 9. */
const SCRIPT: Files = {
  "package.json": '{ "type": "module" }',
  "cart.js": `export class Cart {
  lines = [];
  add(sku, price, quantity = 1) {
    const line = this.lines.find((each) => each.sku === sku);
    if (line) line.quantity += 1;
    else this.lines.push({ sku, price, quantity });
  }
  total() {
    return this.lines.reduce((all, { price, quantity }) => all + price * quantity, 0);
  }
}
`,
  "cart.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { Cart } from "./cart.js";
test("twice", () => { const cart = new Cart(); cart.add("a", 2, 2); cart.add("a", 2, 3); assert.equal(cart.total(), 10); });
test("one", () => { const cart = new Cart(); cart.add("a", 2); cart.add("a", 2); assert.equal(cart.total(), 4); });
`,
};

const PYTHON: Files = {
  "cart.py": `class Cart:
    def __init__(self):
        self.lines = []

    def add(self, sku, price, quantity=1):
        for line in self.lines:
            if line["sku"] == sku:
                line["quantity"] += 1
                return
        self.lines.append({"sku": sku, "price": price, "quantity": quantity})

    def total(self):
        return sum(line["price"] * line["quantity"] for line in self.lines)
`,
  "test_cart.py": `from cart import Cart

def test_twice():
    cart = Cart()
    cart.add("a", 2, 2)
    cart.add("a", 2, 3)
    assert cart.total() == 10

def test_one():
    cart = Cart()
    cart.add("a", 2)
    cart.add("a", 2)
    assert cart.total() == 4
`,
};

/** A change as an earlier search has it on record. */
function recorded(path: string, before: string, [old, fresh]: [string, string]): RepairCandidate {
  const content = before.replace(old, () => fresh);
  const wasSha256 = createHash("sha256").update(before).digest("hex");
  return {
    ...{ edits: 1, writes: [{ path, content, wasSha256 }], diff: "", summary: `${fresh} instead of ${old}` },
    ...{ tests: { passing: 2, failing: 0 }, group: null },
  };
}

it.each<[string, Files, string, [string, string], [string, string]]>([
  [
    "pytest -q",
    PYTHON,
    "cart.py",
    ["+= 1", "+= 1 if quantity < 2 or price > 9 else quantity"],
    ["+= 1", "+= quantity"],
  ],
  ["node --test", SCRIPT, "cart.js", ["=== sku", "!== sku"], ["+= 1", "+= quantity"]],
])(
  "with %s, a change in whose place the tests notice every fault comes before one that was likelier, where they do not",
  async (cmd, files, path, loose, right) => {
    const source = String(files[path]);
    const known = [recorded(path, source, loose), recorded(path, source, right)];
    const { found, stopped } = await repair(test.dock, files, cmd, { known });
    expect(stopped).toBe("found");
    expect(found.map(({ summary }) => summary)).toEqual([known[1]?.summary, known[0]?.summary]);
    const [first, second] = found.map(({ strength }) => (strength ? strength.killed / strength.total : null));
    expect(first).toBe(1);
    expect(second).toBeLessThan(0.8);
  },
  300_000,
);
