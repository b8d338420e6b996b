/** Compares two things that it does not know itself; a source's own checks of its arguments compare with literals. */
const ASSERTS = [
  /\bassert\s+[^\n]*[\w)\]]\s*(==|!=|<=?|>=?|\bin\b|\bis\b)\s*(?!None\b|True\b|False\b)[a-z_][\w.]*/,
  /\bAssertionError\b|\bexpect\s*\(/,
  /\bassert(\.\w+|[A-Z_]\w*)\s*\(/,
  /\bif\s*\(?\s*(?:not\s+|!)?[a-z_]\w*\s*(?:!==?|===?)\s*(?!null\b|undefined\b|true\b|false\b)[a-z_]\w*\s*[):][\s\S]{0,80}?\b(throw|raise|exit)\b/,
];

/** Whether a module fails those who hand it a wrong result. */
export function assertsForOthers(text: string): boolean {
  return ASSERTS.some((pattern) => pattern.test(text));
}
