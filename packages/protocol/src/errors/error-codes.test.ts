import { describe, expect, it } from "vitest";
import { ERROR_ACTOR, ERROR_CODES, EXIT_STATUS, HTTP_STATUS, hasFact } from "./error-codes.ts";

describe("the table of error codes", () => {
  it("lets a task try again wherever the author can act", () => {
    const stopped = ERROR_CODES.filter((code) => hasFact(code, "stops-task"));
    expect(stopped).toContain("sandbox.unavailable");
    expect(stopped.filter((code) => ERROR_ACTOR[code] === "author")).toEqual([]);
  });

  it("has a finding about the code for all that code, a limit or the guard ends with", () => {
    const ofCode = ERROR_CODES.filter((code) => /^(code|policy)\.|^limit\.(?!concurrency)/.test(code));
    expect(ofCode.filter((code) => hasFact(code, "not-code"))).toEqual([]);
    expect(hasFact("limit.concurrency", "not-code")).toBe(true);
  });

  it("answers with statuses that mean an error", () => {
    for (const code of ERROR_CODES) {
      expect(EXIT_STATUS[code]).toBeGreaterThan(0);
      expect(HTTP_STATUS[code]).toBeGreaterThanOrEqual(400);
    }
  });
});
