import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coversCommand, matchCommand } from "./command-rules.ts";

const ALLOW = ["ls", "npm test", "npm run *", "git diff *", "./tool", "python3*"];

describe("matchCommand", () => {
  it.each([
    [["ls"], true],
    [["ls", "-l", "/"], true],
    [["ls", "a\nb"], true],
    [["npm", "test"], true],
    [["npm", "test", "--", "x"], false],
    [["npm", "run"], true],
    [["npm", "run", "build", "--x"], true],
    [["npm", "install"], false],
    [["npm run build"], false],
    [["git", "diff"], true],
    [["git", "push"], false],
    [["./tool", "x"], true],
    [["tool"], false],
    [["python3.11", "-c", "1"], true],
    [["python3/../sh"], false],
    [["/bin/ls"], false],
    [["./ls"], false],
    [["ls\n"], false],
    [["ls\nrm"], false],
    [[" ls"], false],
    [["LS"], false],
    [[""], false],
    [[], false],
    [["ls", "a\0b"], false],
    [["ls\0"], false],
  ])("%j is %s", (argv, allowed) => {
    expect(matchCommand(ALLOW, argv)).toBe(allowed);
  });

  it("lets one star stand for every command, but not for an empty name", () => {
    expect(matchCommand(["*"], ["/bin/anything", "x"])).toBe(true);
    expect(matchCommand(["*"], [""])).toBe(false);
  });

  it("takes a word that is not known for an argument only where any argument will do", () => {
    expect(matchCommand(ALLOW, ["npm", "run", null])).toBe(true);
    expect(matchCommand(ALLOW, ["npm", null])).toBe(false);
    expect(matchCommand(ALLOW, ["npm", "test", null])).toBe(false);
    expect(matchCommand(ALLOW, [null, "ls"])).toBe(false);
  });
});

describe("coversCommand", () => {
  it.each([
    ["npm *", "npm run *", true],
    ["npm", "npm run build", true],
    ["npm run *", "npm *", false],
    ["npm run *", "npm run", true],
    ["npm test", "npm test *", false],
    ["ls", "ls -l", true],
    ["py*", "python3", true],
    ["python3", "py*", false],
    ["*", "/bin/sh", true],
    ["ls", "*", false],
  ])("%s over %s is %s", (ceiling, asked, covered) => {
    expect(coversCommand(ceiling, asked)).toBe(covered);
  });

  it("never covers a pattern that lets through a command which the ceiling refuses", () => {
    const word = fc.constantFrom("a", "b", "a*", "*", "ab");
    const pattern = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
    const argv = fc.array(fc.constantFrom("a", "b", "ab", "aa", "c/d", "a/b"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pattern, pattern, argv, (ceiling, asked, command) => {
        return !(coversCommand(ceiling, asked) && matchCommand([asked], command)) || matchCommand([ceiling], command);
      }),
      { numRuns: 2000 },
    );
  });
});
