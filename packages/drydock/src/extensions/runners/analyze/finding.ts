/** Something worth a look, and where it is. */
export interface Finding {
  kind: string;
  /** A path into the data, `line 12`, or empty where it is the whole. */
  at: string;
  message: string;
}

/** One line, with its end left out where it is too long. */
export function excerpt(text: string, maxChars = 120): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
