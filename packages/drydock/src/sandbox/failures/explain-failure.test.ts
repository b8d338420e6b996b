import { ERROR_CODES, ErrorInfo, hasFact } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { explainFailure, readReport } from "./index.ts";
import { CODE_ENDINGS } from "./testing/code-endings.ts";
import { python, refusing } from "./testing/ending-row.ts";
import { EXIT_ENDINGS } from "./testing/exit-endings.ts";
import { LIMIT_ENDINGS } from "./testing/limit-endings.ts";
import { REACH_ENDINGS } from "./testing/reach-endings.ts";

const rows = [...LIMIT_ENDINGS, ...EXIT_ENDINGS, ...CODE_ENDINGS, ...REACH_ENDINGS];

describe("a failure", () => {
  it.each(rows)("$code: $title", ({ ending, context, code, message, hint, data }) => {
    const error = explainFailure(ending, context ?? python);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message), ...data });
    expect(error?.hint).toContain(hint);
    expect(ErrorInfo.parse(error)).toEqual(error);
  });

  it("is never told of status 0, whatever the report claims", () => {
    const exception = { type: "ValueError" };
    const guard = { code: "policy.import_denied", name: "os", line: 1, column: 1, message: "", hint: "" };
    for (const report of [
      undefined,
      { outcome: "exception", exception },
      { outcome: "exit" },
      { outcome: "exception", guard },
    ]) {
      expect(explainFailure({ kind: "exited", exitCode: 0, report: readReport(report) }, refusing)).toBeNull();
    }
  });

  it("is explained without a report that does not fit", () => {
    for (const report of [null, 3, "ok", {}, { outcome: "fine" }, { outcome: "exception", exception: { type: 3 } }]) {
      expect(readReport(report)).toBeUndefined();
    }
    expect(explainFailure({ kind: "exited", exitCode: 1, report: readReport("lies") }, python)?.code).toBe("code.exit");
  });

  it("has a row here for every code that a run's end can have", () => {
    const expected = ERROR_CODES.filter((code) => hasFact(code, "execution"));
    expect([...new Set(rows.map(({ code }) => code))].sort()).toEqual(expected.sort());
  });
});
