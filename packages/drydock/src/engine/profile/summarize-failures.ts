import { cleanLine } from "./profile-text.ts";

export interface PastFailure {
  type: string;
  code: string;
  reason: string;
}

const MAX_FAILURES = 8;
const REASON_CHARACTERS = 180;

/** Why earlier work here did not pass: the most frequent reasons first. Numbers are no difference. */
export function summarizeFailures(failures: readonly PastFailure[]): string[] {
  const groups = new Map<string, { count: number; line: string }>();
  for (const { type, code, reason } of failures) {
    const line = `${cleanLine(type, 40)}: ${cleanLine(reason, REASON_CHARACTERS)}`;
    const key = `${type} ${code} ${line.replace(/\d+/g, "#")}`;
    const group = groups.get(key) ?? { count: 0, line };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_FAILURES)
    .map(({ count, line }) => `${count} × ${line}`);
}
