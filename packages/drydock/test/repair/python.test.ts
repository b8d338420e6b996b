import type { Check } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { FAULTS, mendFault } from "./python-faults.ts";
import { repair } from "./search.ts";

const test = openTestDock();

/** Faults that are mended here, one for each kind of search; `npm run soak` has all of them. */
const NAMES = ["a wrong operator", "a return that stands too deep, by unittest", "a missing colon"];
const SOME = FAULTS.filter(({ name }) => NAMES.includes(name));

describe("a repair of Python source", () => {
  it.each(SOME)("mends $name", (fault) => mendFault(test.dock, fault), 240_000);

  it("mends what a command has to print", async () => {
    const files = { "greet.py": "print('Hello ' + 'Ada'.lower())\n" };
    const checks: Check[] = [{ type: "command_contains", cmd: "python3 greet.py", needle: "Hello Ada" }];
    const limits = { seconds: 120, candidates: 300 };
    const { stopped, found } = await repair(test.dock, files, "", { checks, limits });
    expect(stopped).toBe("found");
    expect(found.map(({ writes }) => writes[0]?.content)).toContain("print('Hello ' + 'Ada')\n");
  }, 240_000);

  it("looks first at the lines that only failing tests execute, and is the same for the same seed", async () => {
    const files: Files = {
      "shop.py":
        "def price(n):\n    return n * 3\ndef discount(n):\n    if n > 10:\n        return n - 2\n    return n\n",
      "test_shop.py":
        "from shop import price, discount\ndef test_price(): assert price(2) == 6\ndef test_low(): assert discount(5) == 5\ndef test_high(): assert discount(20) == 19\n",
    };
    const limits = { seconds: 120, candidates: 60 };
    const outcomes = [
      await repair(test.dock, files, "pytest -q", { limits }),
      await repair(test.dock, files, "pytest -q", { limits }),
    ];
    const [one, other] = outcomes.map(({ found, localisation }) => ({ found, localisation }));
    expect(one).toEqual(other);
    expect(one?.localisation).toMatchObject({ method: "coverage", tests: { passing: 2, failing: 1 } });
    expect(one?.localisation?.lines[0]).toMatchObject({ path: "shop.py", line: 5 });
    expect(one?.localisation?.lines.filter(({ line }) => line < 1)).toEqual([]);
  }, 240_000);

  it("shows an input on which repairs differ that all tests accept", async () => {
    const files: Files = {
      "near.py":
        "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n < high:\n        return high\n    return n\n",
      "test_near.py":
        "from near import clamp\ndef test_high(): assert clamp(9, 1, 5) == 5\ndef test_low(): assert clamp(0, 1, 5) == 1\n",
    };
    const { found, differ } = await repair(test.dock, files, "pytest -q", {
      limits: { seconds: 120, candidates: 300 },
    });
    expect(found.length).toBeGreaterThan(1);
    expect(differ?.input).toMatch(/^clamp\(/);
    expect(new Set(differ?.results.map(({ result }) => result)).size).toBeGreaterThan(1);
  }, 240_000);

  it("keeps the best so far where no single change is enough", async () => {
    const files: Files = {
      "two.py": "def first(n):\n    return n + 2\ndef second(n):\n    return sum(ord(c) for c in str(n))\n",
      "test_two.py":
        "from two import first, second\ndef test_first(): assert first(1) == 2\ndef test_second(): assert second(12) == 'twelve'\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q", { limits: { seconds: 40, candidates: 150 } });
    expect(outcome.found).toEqual([]);
    expect(outcome.bestPartial).toMatchObject({ tests: { passing: 1, failing: 1 } });
    expect(outcome.bestPartial?.diff).toContain("+    return n + 1");
  }, 240_000);

  it("mends two places where one change alone passes more tests than before", async () => {
    const files: Files = {
      "two.py": "def first(n):\n    return n + 2\ndef second(n):\n    return n - 2\n",
      "test_two.py":
        "from two import first, second\ndef test_first():\n    assert first(1) == 2\n    assert first(5) == 6\ndef test_second():\n    assert second(3) == 6\n    assert second(5) == 10\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome.found[0]).toMatchObject({ edits: 2 });
    // The same two edits in the other order are no other change.
    expect(new Set(outcome.found.map(({ diff }) => diff)).size).toBe(outcome.found.length);
    expect(outcome.found[0]?.writes[0]?.content).toBe(
      "def first(n):\n    return n + 1\ndef second(n):\n    return n * 2\n",
    );
  }, 240_000);
});
