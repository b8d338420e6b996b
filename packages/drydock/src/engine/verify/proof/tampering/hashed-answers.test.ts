import { expect, it } from "vitest";
import { findHashedAnswers } from "./hashed-answers.ts";

const [ONE, TWO] = ["aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "7c211433f02071597741e6ff5a8ea34789abbf43"];
const HASHES = "import hashlib\nkey = hashlib.sha1(repr(args).encode()).hexdigest()\n";

it("finds answers by digest, in the source or beside it", () => {
  const beside = new Map([
    ["calc.py", HASHES],
    ["cache.json", `{"${ONE}": 5, "${TWO}": 7}`],
  ]);
  expect(findHashedAnswers(beside)).toContain("cache.json holds values by digest");
  expect(findHashedAnswers(new Map([["calc.py", `${HASHES}TABLE = {'${ONE}': 5, '${TWO}': 7}\n`]]))).toContain(
    "calc.py",
  );
});

it("does not take digests of files for answers, nor keys that nobody computes", () => {
  const sums = `{"a.txt": "${ONE}", "b.txt": "${TWO}"}`;
  expect(
    findHashedAnswers(
      new Map([
        ["calc.py", HASHES],
        ["sums.json", sums],
      ]),
    ),
  ).toBeNull();
  expect(
    findHashedAnswers(
      new Map([
        ["calc.py", "x = 1\n"],
        ["ids.json", `{"${ONE}": 5, "${TWO}": 7}`],
      ]),
    ),
  ).toBeNull();
});
