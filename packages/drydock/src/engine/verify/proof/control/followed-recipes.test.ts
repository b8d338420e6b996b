import { expect, it } from "vitest";
import { findExpectations } from "../../../mutate/index.ts";
import { keepFollowed } from "./followed-recipes.ts";

const MAKEFILE = [
  "check: a",
  '\t@. ./lib.sh; test "$$(add 2 3)" = $(WANT)',
  "\t./a | \\",
  "\t  grep -qx 5",
  "lint:",
  "\tgrep -q good notes",
  "",
].join("\n");

function program(line: string) {
  return { program: "/bin/sh", arguments: ["/bin/sh", "-c", line], directory: "/work", parent: null, searched: [] };
}

async function keep(...lines: string[]) {
  const runPython = () => Promise.resolve("[]");
  const [file] = await findExpectations([{ path: "Makefile", text: MAKEFILE }], { runPython });
  if (!file) throw new Error("nothing was found");
  return keepFollowed(file, { programs: lines.map(program), paths: [], truncated: false });
}

it("keeps what the recipes expect that make has handed to the shell", async () => {
  const [kept] = await keep('. ./lib.sh; test "$(add 2 3)" = 5', "./a | \\\n  grep -qx 5");
  const edited = kept?.expectations.map(({ splices: [splice] }) => MAKEFILE.slice(splice?.start, splice?.end));
  expect(edited).toEqual(["$(WANT)", "5"]);
});

it("keeps nothing of a target that was not made", async () => {
  expect(await keep("gcc -o t test_calc.c")).toEqual([]);
});
