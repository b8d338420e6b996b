import type { CheckResult } from "@drydock/protocol";

/** The one field that says what a check is about, such as its command. */
export function subjectOf(check: CheckResult["check"]): string {
  const found = ["cmd", "path", "paths", "url", "expression"]
    .map((name) => check[name])
    .find((value) => value !== undefined);
  return found === undefined ? "" : Array.isArray(found) ? found.slice(0, 12).join(", ") : String(found);
}
