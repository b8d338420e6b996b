import assert from "node:assert/strict";
import type { AgentToolCall, ErrorCode, ErrorInfo, Verdict } from "@drydock/protocol";

/** What the assertions look at: results of tasks, steps of workflows, executed code. */
interface CheckedResult {
  ok?: boolean;
  success?: boolean;
  code?: string;
  result?: unknown;
  error?: ErrorInfo | null;
  verdict?: Verdict;
}

export type ExpectedCall = string | { name: string; arguments?: Record<string, unknown> };

/** It ended well; else the error is the message. */
export function assertOk(checked: CheckedResult): void {
  const { error, verdict } = checked;
  const why = error ? `${error.code}: ${error.message} (${error.hint})` : `verdict ${verdict ?? "none"}`;
  assert.ok(checked.ok ?? checked.success, `expected it to end well, but: ${why}`);
}

/** It failed, with this code. */
export function assertFailed(checked: CheckedResult, code: ErrorCode): void {
  assert.equal(checked.ok ?? checked.success, false, "expected it to fail, but it ended well");
  assert.equal(checked.error?.code, code, `expected ${code}, got ${checked.error?.code}: ${checked.error?.message}`);
}

/** The code of the last attempt holds the text, or matches. */
export function assertCode({ code = "" }: CheckedResult, expected: string | RegExp): void {
  if (typeof expected === "string")
    assert.ok(code.includes(expected), `expected the code to hold ${JSON.stringify(expected)}:\n${code}`);
  else assert.match(code, expected);
}

export function assertResult({ result }: CheckedResult, expected: unknown): void {
  assert.deepEqual(result, expected);
}

export function assertVerdict({ verdict }: CheckedResult, expected: Verdict): void {
  assert.equal(verdict, expected);
}

/** These calls and no others, in this order. Of arguments, those that are named. */
export function assertToolCalls(
  { toolCalls }: { toolCalls: readonly AgentToolCall[] },
  expected: readonly ExpectedCall[],
): void {
  const wanted = expected.map((call) => (typeof call === "string" ? { name: call } : call));
  assert.deepEqual(
    toolCalls.map(({ name }) => name),
    wanted.map(({ name }) => name),
  );
  for (const [index, { name, arguments: named = {} }] of wanted.entries()) {
    const args = toolCalls[index]?.arguments ?? {};
    const shown = Object.fromEntries(Object.keys(named).map((key) => [key, args[key]]));
    assert.deepEqual(shown, named, `the arguments of call ${index + 1} (${name})`);
  }
}
