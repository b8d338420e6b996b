import type { CheckResult } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { decideVerdict } from "./decide-verdict.ts";

const check: CheckResult = {
  type: "command",
  verdict: "passed",
  reason: "It ended with status 0.",
  code: "ok",
  evidence: {},
  durationMs: 1,
  treeHash: "tree",
  check: { type: "command", cmd: "sh run.sh" },
};
const none: CheckResult["control"] = { kind: "none", edits: 0, failed: null, survivors: [], reason: "" };

describe("the advice of an unproven verdict", () => {
  it("is another check, where every check passes without the change as well", () => {
    const { verdict, reason, doubt } = decideVerdict([{ ...check, alsoPassesBefore: true, proves: false }], true);
    expect(verdict).toBe("unproven");
    expect(doubt).toBe("Every check passes without the change as well, so none of them proves it.");
    expect(reason).toContain("Add a check that fails without the change");
  });

  it("is to write down what the check expects, where it runs the change and nothing of that could be found", () => {
    const doubt = "sh run.sh runs the changed code, and nothing that it expects of it could be found.";
    const unread = { ...check, alsoPassesBefore: false, proves: false, control: none, doubt };
    const { reason } = decideVerdict([unread], true);
    expect(reason).toContain(`${doubt} Write what it expects as a comparison that can be read: an assert, a test`);
    expect(reason).not.toContain("Add a check");
  });
});
