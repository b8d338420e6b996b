import { DrydockError, EXIT_STATUS } from "@drydock/protocol";
import { expect, test } from "vitest";
import * as errors from "./errors.ts";

const lines: [DrydockError, code: string, message: string, hint: RegExp][] = [
  [
    errors.commandNotFoundError("/crul", "/curl"),
    "extension.not_found",
    "/crul was not found.",
    /Did you mean \/curl\?/,
  ],
  [errors.commandNotFoundError("/x"), "extension.not_found", "/x was not found.", /drydock ext list/],
  [errors.notInstalledError("post"), "extension.not_found", "The extension post is not installed.", /drydock ext add/],
  [
    errors.toolMissingError("newman", "postman", ["/usr/bin"]),
    "extension.tool_missing",
    "newman, which the extension postman needs, was not found. It was looked for in /usr/bin.",
    /installed correctly: `drydock ext update postman`/,
  ],
  [
    errors.extensionDisabledError("git"),
    "extension.disabled",
    "The extension git is disabled.",
    /drydock ext enable git/,
  ],
  [
    errors.quarantinedError("git", "tools/git was changed"),
    "extension.quarantined",
    "The extension git is quarantined: tools/git was changed.",
    /drydock ext update git.*drydock ext remove git/,
  ],
  [
    errors.timeoutError(300),
    "limit.timeout",
    "The command timed out after 300 seconds.",
    /took too long.*timeoutSeconds/,
  ],
  [errors.timeoutError(1), "limit.timeout", "The command timed out after 1 second.", /took too long/],
  [
    errors.unsafePathError("The work directory", "/etc", "it is absolute"),
    "policy.path_denied",
    "The work directory /etc is not safe: it is absolute.",
    /inside the workspace/,
  ],
  [
    errors.hostNotGrantedError("a.example:443", "curl", ["policy"]),
    "policy.network_denied",
    "The extension curl may not reach a.example:443.",
    /drydock policy allow network a\.example:443/,
  ],
  [
    errors.approvalDeniedError("/git push", "high", null),
    "policy.approval_denied",
    "/git push has high risk and needs somebody's approval, and nobody can be asked here.",
    /drydock approvals approve/,
  ],
  [
    errors.approvalDeniedError("/git push", "high", { by: "ann", reason: "not today" }),
    "policy.approval_denied",
    "/git push was denied by ann: not today.",
    /Nothing was done/,
  ],
  [
    errors.toolFailedError("jq", 5, "jq: error: bad filter\n"),
    "code.exit",
    "jq failed with status 5: jq: error: bad filter",
    /--help/,
  ],
  [
    errors.quotaReachedError("curl", "callsPerHour", 2, "2026-05-01T11:00:00.000Z"),
    "limit.quota",
    "The extension curl has used the 2 calls that it may have in an hour.",
    /Try again after 2026-05-01T11:00:00\.000Z/,
  ],
  [
    errors.quotaReachedError("curl", "secondsPerHour", 0, null),
    "limit.quota",
    "The policy's extensions.secondsPerHour is 0: the extension curl can't be used.",
    /owner can raise extensions.secondsPerHour/,
  ],
];

test.each(lines)("%s", (error, code, message, hint) => {
  expect(error).toBeInstanceOf(DrydockError);
  expect(error).toMatchObject({ code, message, hint: expect.stringMatching(hint) });
  expect(error.exitStatus).toBe(EXIT_STATUS[error.code]);
});

test("a value that looks like an option is shown shortened", () => {
  expect(errors.looksLikeOptionError("url", `--output=${"x".repeat(500)}`).message.length).toBeLessThan(200);
});
