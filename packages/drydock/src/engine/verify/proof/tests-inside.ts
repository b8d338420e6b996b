import { holdsExpectations } from "./holds-expectations.ts";
import { looksLikeCheck } from "./program-roles.ts";

const CODE = /\.(py|[cm]?[jt]sx?)$/;
/** What begins a definition at the left edge of a file. */
const DEFINITION =
  /^(?:(?:async\s+)?def\s|class\s|@|import\s|from\s|(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function|class|const|let|var|type|interface|enum)\b|export\s*[{*]|(?:module\.)?exports\b|[A-Za-z_]\w*\s*(?::[^=\n]+)?=[^=]|#|\/\/|\/\*|"""|'''|['"]use strict)/;
const TEST = /^(?:(?:async\s+)?def\s+test|class\s+(?:Test|\w+\([^)]*TestCase))/;

/**
 * Whether a source file with tests inside was changed in its source only: what stands outside of definitions, the tests, and
 * every definition that expects something are as they were. Then the control shows whether these tests still ask.
 */
export function keepsTestsInside(path: string, before: string, after: string): boolean {
  if (!CODE.test(path) || looksLikeCheck(path)) return false;
  const [was, is] = [splitFile(before), splitFile(after)];
  if (was.source.length === 0 || was.tests.length === 0) return false;
  return was.tests.join("\n") === is.tests.join("\n");
}

function splitFile(text: string): { source: string[]; tests: string[] } {
  const source: string[] = [];
  const tests: string[] = [];
  for (const part of splitParts(text)) {
    const isSource = DEFINITION.test(part) && !TEST.test(part) && !holdsExpectations("", part);
    (isSource ? source : tests).push(part.trimEnd());
  }
  return { source, tests };
}

/** Statements at the left edge, each with what is indented below it and with its closing bracket. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const isInside = line === "" || /^[\s)}\]]/.test(line) || /^(else|elif|except|finally)\b/.test(line);
    const isDecorated = parts.at(-1)?.startsWith("@") && !/\n\S/.test(parts.at(-1) ?? "");
    if (parts.length > 0 && (isInside || isDecorated)) parts[parts.length - 1] += `\n${line}`;
    else parts.push(line);
  }
  return parts.filter((part) => part.trim() !== "");
}
