const MAX_VALUES = 200_000;
const MAX_DEPTH = 500;

/**
 * What is too much about a JSON text, judged by its punctuation before it is parsed; null where nothing is. A thread that
 * runs out of memory within one built-in call, and parsing is one, takes the whole process with it: so what is let in
 * stays far below that.
 */
export function findJsonExcess(text: string): string | null {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = findStringEnd(text, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        values += 1;
        depth += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values += 1;
        break;
    }
    if (values > MAX_VALUES) return `it holds more than ${MAX_VALUES} values`;
    if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
  }
  return null;
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
