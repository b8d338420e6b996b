import { seekAhead } from "./seek-ahead.ts";

/** The head of a Python function: where its parameters begin and end. */
interface Head {
  from: number;
  close: number;
}

/**
 * A handler for failed assertions in a Python function that calls one of its arguments, which may be a callback of a
 * test.
 */
export function findAssertionHandler(before: string, after: string): string | undefined {
  const handlers = listHandlers(after);
  if (handlers.length === 0) return undefined;
  const heads = listHeads(after);
  let at = -1;
  let firstCall = Number.POSITIVE_INFINITY;
  for (const { text, index } of handlers) {
    for (let next = heads[at + 1]; next && next.close < index; next = heads[at + 1]) {
      at += 1;
      firstCall = findCall(after, next, heads[at + 1]?.close ?? after.length);
    }
    if (firstCall < index && !before.includes(text)) return text.trim();
  }
  return undefined;
}

/** `except …AssertionError…:`, each in one line. */
function listHandlers(text: string): { text: string; index: number }[] {
  const found: { text: string; index: number }[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/[:\n]/g)) {
    const part = text.slice(from, index);
    const start = mark === ":" ? part.search(/\bexcept\b/) : -1;
    if (start >= 0 && /\bAssertionError\b/.test(part.slice(start)))
      found.push({ text: text.slice(from + start, index + 1), index: from + start });
    from = index + 1;
  }
  return found;
}

/** Of heads that end at the same place the last one. */
function listHeads(text: string): Head[] {
  const seekClose = seekAhead(text, ")");
  const byClose = new Map<number, Head>();
  for (const { 0: head, index } of text.matchAll(/\bdef\s+\w+\(/g)) {
    const from = index + head.length;
    const close = seekClose(from);
    if (close < text.length) byClose.set(close, { from, close });
  }
  return [...byClose.values()];
}

/** Where a function first calls one of its parameters. */
function findCall(text: string, { from, close }: Head, end: number): number {
  const parameters = text.slice(from, close).matchAll(/(?:^|,)\s*\**(\w+)/g);
  const names = new Set([...parameters].map(([, name = ""]) => name));
  const body = text.slice(close + 1, end);
  for (const { 1: name = "", index } of body.matchAll(/(?<![\w.])(\w+)\(/g)) {
    if (names.has(name)) return close + 1 + index + name.length;
  }
  return Number.POSITIVE_INFINITY;
}
