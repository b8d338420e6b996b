import { PROVIDERS } from "../../base/providers/index.ts";

/*
 * Keys that can be recognised by their looks. Every expression is linear: it begins at a fixed text, what it repeats is
 * bounded, or can't begin again inside what it has just read, and nothing repeated is repeated as a whole.
 */

/** The start of a word; also behind an escape (`\n`, `%3D`), whose last letter would otherwise hide it. */
const START = String.raw`(?<=\\[nrt]|%[0-9A-Fa-f]{2}|(?<![A-Za-z0-9_-]))`;
const QUOTE = String.raw`["'\\]{0,3}`;
const ASSIGN = String.raw`${QUOTE}\s{0,8}[:=]\s{0,8}${QUOTE}`;

/** Those of model providers. */
const KEY_FORMATS = PROVIDERS.flatMap(({ keyFormat }) => keyFormat ?? []);

interface Format {
  name: string;
  /** A first group, where there is one, is kept. */
  pattern: RegExp;
  /** Says no to what only looks alike. */
  accept?: (match: string) => boolean;
}

const FORMATS: readonly Format[] = [
  ...KEY_FORMATS.map(({ name, begins, continues }) => ({
    name,
    pattern: new RegExp(`${START}${begins}${continues}`, "g"),
  })),
  { name: "api-key", pattern: new RegExp(`${START}sk-(?:[a-z0-9]{1,8}-){0,2}[A-Za-z0-9]{20,512}`, "g") },
  { name: "github-token", pattern: new RegExp(`${START}(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,512}`, "g") },
  { name: "gitlab-token", pattern: new RegExp(`${START}glpat-[A-Za-z0-9_-]{20,64}`, "g") },
  { name: "slack-token", pattern: new RegExp(`${START}(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,512}`, "g") },
  { name: "npm-token", pattern: new RegExp(`${START}npm_[A-Za-z0-9]{36,64}`, "g") },
  { name: "stripe-key", pattern: new RegExp(`${START}[rs]k_(?:live|test)_[A-Za-z0-9]{16,256}`, "g") },
  {
    name: "jwt",
    pattern: new RegExp(`${START}eyJ[A-Za-z0-9_-]{8,16384}\\.eyJ[A-Za-z0-9_-]{8,16384}\\.[A-Za-z0-9_-]{0,16384}`, "g"),
  },
  {
    name: "authorization",
    pattern: new RegExp(`(authorization${ASSIGN}(?:bearer|basic|token)\\s{1,8})[^\\s"'\\\\]{8,8192}`, "gi"),
  },
  {
    name: "bearer-token",
    pattern: /(\bbearer\s{1,8})[A-Za-z0-9._~+/=-]{16,8192}/gi,
    accept: (match) => /\d/.test(match),
  },
  { name: "url-password", pattern: /(:\/\/[^\s/@:"'<>]{0,128}:)[^\s/"'<>]{1,256}(?=@)/g },
  {
    name: "aws-secret-key",
    pattern: new RegExp(`(secret[_-]?(?:access)?[_-]?key${ASSIGN})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`, "gi"),
  },
];

const AWS_KEY_ID = new RegExp(`${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`, "g");
const AWS_SECRET = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const AWS_NEIGHBOURHOOD = 256;

/** One look decides for most texts that there is nothing to do. */
const TRACE = new RegExp(
  [
    ...KEY_FORMATS.map(({ begins }) => begins),
    String.raw`sk-|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|npm_|[rs]k_(?:live|test)_|eyJ|AKIA|ASIA|ABIA|ACCA|:\/\/`,
    "PRIVATE KEY|bearer|authorization|secret[_-]?(?:access)?[_-]?key",
  ].join("|"),
  "i",
);

export function redactKnownFormats(text: string, replacement: (name: string) => string): string {
  if (!TRACE.test(text)) return text;
  let result = redactPrivateKeys(text, replacement("private-key"));
  result = redactAws(result, replacement);
  for (const { name, pattern, accept } of FORMATS) {
    result = result.replace(pattern, (match: string, kept: unknown) => {
      if (accept && !accept(match)) return match;
      return (typeof kept === "string" ? kept : "") + replacement(name);
    });
  }
  return result;
}

const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** From BEGIN to END; to the end of the text where the END is cut off. Each END is looked for once. */
function redactPrivateKeys(text: string, replacement: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  let result = "";
  let done = 0;
  for (;;) {
    PRIVATE_KEY_BEGIN.lastIndex = done;
    const begin = PRIVATE_KEY_BEGIN.exec(text);
    if (!begin) return result + text.slice(done);
    PRIVATE_KEY_END.lastIndex = begin.index;
    const end = PRIVATE_KEY_END.exec(text);
    result += text.slice(done, begin.index) + replacement;
    if (!end) return result;
    done = end.index + end[0].length;
  }
}

/** Access key ids, and what looks like the secret that belongs to one close by; alone it looks like many other things. */
function redactAws(text: string, replacement: (name: string) => string): string {
  const ids = Array.from(text.matchAll(AWS_KEY_ID), (match) => match.index);
  if (ids.length === 0) return text;
  let next = 0;
  const withoutSecrets = text.replace(AWS_SECRET, (match, index: number) => {
    while (next < ids.length && (ids[next] ?? 0) < index - AWS_NEIGHBOURHOOD) next += 1;
    const isNear = next < ids.length && (ids[next] ?? 0) <= index + AWS_NEIGHBOURHOOD;
    const isRandom = /[a-z]/.test(match) && /[A-Z]/.test(match) && /[0-9]/.test(match);
    return isNear && isRandom ? replacement("aws-secret-key") : match;
  });
  return withoutSecrets.replace(AWS_KEY_ID, () => replacement("aws-key-id"));
}
