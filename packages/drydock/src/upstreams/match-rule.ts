/** `METHOD /path`: `*` in a segment stands for any part of it, `**` as the last segment for one or more of them. */
const RULE = /^([A-Z]+|\*) (\/[\x21-\x7e]*)$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What is wrong with a rule; null: nothing. */
export function describeRuleProblem(rule: string): string | null {
  const [, method = "", path = ""] = RULE.exec(rule) ?? [];
  if (method === "") return "is not METHOD /path, such as POST /v1/messages";
  if (method !== "*" && !METHODS.includes(method)) return `names no method of ${METHODS.join(", ")}`;
  if (/[?#\\%]/.test(path)) return "has a path with ?, #, \\ or %, which a rule can't hold";
  const segments = path.slice(1).split("/");
  if (segments.some((each) => each === "." || each === "..")) return "has . or .. as a segment";
  if (segments.slice(0, -1).some((each) => each === "" || each === "**")) return "may have ** as its last segment only";
  return null;
}

/** Decides on the path's decoded segments, which `checkPath` has found to have one meaning only. */
export function matchRule(rules: readonly string[], method: string, segments: readonly string[]): boolean {
  return METHODS.includes(method) && rules.some((rule) => matchesOne(rule, method, segments));
}

function matchesOne(rule: string, method: string, segments: readonly string[]): boolean {
  const [, wanted = "", path = ""] = RULE.exec(rule) ?? [];
  if (wanted !== "*" && wanted !== method) return false;
  const pattern = path === "/" ? [] : path.slice(1).split("/");
  const isOpen = pattern.at(-1) === "**";
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? segments.length <= fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((each, at) => matchesSegment(each, segments[at] ?? ""));
}

function matchesSegment(pattern: string, segment: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return segment === pattern;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  const last = parts.pop() ?? "";
  for (const part of parts) {
    const found = segment.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return segment.length - at >= last.length && segment.endsWith(last);
}
