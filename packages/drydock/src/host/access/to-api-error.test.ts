import { DrydockError } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";
import { expect, it } from "vitest";
import { toApiError } from "./to-api-error.ts";

it("a refusal stays as it is", () => {
  const refusal = new ApiError("not_found", "There is no such event.");
  expect(toApiError("event_get", refusal)).toBe(refusal);
});

it.each([
  ["an error", new Error("disk I/O error"), "state_set failed in the host: disk I/O error", {}],
  ["a text", "torn", "state_set failed in the host: torn", {}],
  [
    "an error of the dock",
    new DrydockError("ledger.unavailable", "The ledger can't be written.", "Make room."),
    "state_set failed in the host: The ledger can't be written.",
    { code: "ledger.unavailable", hint: "Make room." },
  ],
])("a fault in the host names the call and the reason: %s", (_name, error, message, details) => {
  expect(toApiError("state_set", error).info).toEqual({ code: "runtime_error", message, retryable: false, details });
});
