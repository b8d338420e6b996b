import { describe, expect, it } from "vitest";
import { checkPath } from "./check-path.ts";
import { describeRuleProblem, matchRule } from "./match-rule.ts";
import { PRESETS } from "./presets.ts";

function allows(rule: string, method: string, path: string): boolean {
  const checked = checkPath(path);
  return checked.ok && matchRule([rule], method, checked.segments);
}

describe("a rule", () => {
  it.each([
    ["GET /v1/models", "GET", "/v1/models?limit=1", true],
    ["GET /v1/models", "POST", "/v1/models", false],
    ["GET /v1/models", "GET", "/v1/models/x", false],
    ["GET /v1/models/*", "GET", "/v1/models/x", true],
    ["GET /v1/models/*", "GET", "/v1/models", false],
    ["GET /v1/models/*", "GET", "/v1/models/x/y", false],
    ["POST /v1beta/models/*:generateContent", "POST", "/v1beta/models/gemini-2:generateContent", true],
    ["POST /v1beta/models/*:generateContent", "POST", "/v1beta/models/gemini-2:batchGenerateContent", false],
    ["GET /repos/**", "GET", "/repos/o/r/contents/a%20b.txt", true],
    ["GET /repos/**", "GET", "/repos", false],
    ["* /**", "DELETE", "/x", true],
    ["* /**", "CONNECT", "/x", false],
    ["* /**", "TRACE", "/x", false],
    ["GET /a*b*c", "GET", "/axxbyyc", true],
    ["GET /a*b*c", "GET", "/ac", false],
  ])("%s: %s %s → %s", (rule, method, path, expected) => {
    expect(allows(rule, method, path)).toBe(expected);
  });

  it.each(["get /x", "GET x", "GET /x?y", "FETCH /x", "GET /a/../b", "GET /**/x", "GET /a%2fb", "/x"])(
    "is refused: %s",
    (rule) => expect(describeRuleProblem(rule)).toEqual(expect.any(String)),
  );

  it("of a preset has no problem, and its probe is allowed", () => {
    for (const { allow, probe } of Object.values(PRESETS)) {
      expect(allow.map(describeRuleProblem).filter((problem) => problem !== null)).toEqual([]);
      expect(allow.some((rule) => allows(rule, "GET", probe))).toBe(true);
    }
  });
});
