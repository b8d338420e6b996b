import { MIN_LITERAL_LENGTH } from "./literal-search.ts";
import { isSecretName } from "./secret-names.ts";

/** Of a value with several lines, like a key in PEM: shorter lines say nothing. */
const MIN_LINE_LENGTH = 16;
/** Of a list, and of JSON: shorter parts may be anything. */
const MIN_PART_LENGTH = 12;
const URL_PASSWORDS = [
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:([^\s/@]+)@/i,
  // With an `@` in the password itself.
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:([^\s/?#]+)@/i,
];
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const WORDS = /^[a-z]+(?:[ _-][a-z]+)*$/i;
const USER_AND_PASSWORD = /^[^\s:/]{1,128}:(\S+)$/;
const ASSIGNMENT = /^([^\s=]{1,128})=(\S+)$/;
const ROOTS =
  "app|bin|builds|certs|config|data|dev|etc|github|home|keys|lib|Library|media|mnt|nix|opt|private|proc|root|run|sbin|secrets|snap|srv|sys|tmp|usr|Users|var|vault|work|workspaces?|__w";
const KNOWN_PLACE = new RegExp(`^(?:~/|/(?:${ROOTS})/)`);
const PLACE_OF_WORDS = /^~?(?:\/[a-z._-]{1,24}){2,}\/?$/;

/** Whether what begins with a slash is a path, and not a key that happens to: it begins where files lie, or is made of words. */
export function isPath(value: string): boolean {
  return KNOWN_PLACE.test(value) || PLACE_OF_WORDS.test(value);
}

/**
 * What is a secret by itself in the value of a variable: the password of an address; where the name says that it is a
 * secret, also long lines, parts of a list, the password behind a user's name, and texts in JSON.
 */
export function listParts(name: string, value: string): string[] {
  const parts = URL_PASSWORDS.flatMap((pattern) => pattern.exec(value)?.[1] ?? []).flatMap(withDecoded);
  if (!isSecretName(name)) return value.includes("PRIVATE KEY-----") ? [...parts, ...longLines(value)] : parts;
  const json = readJson(value);
  if (json !== undefined) return [...parts, ...textsIn(json).flatMap((text) => [text, ...longLines(text)])];
  return [...parts, ...longLines(value), ...[value, ...listItems(value)].flatMap(withPassword)];
}

/**
 * Of a secret with several lines, those that are long enough to be told from others. Not the first and last line of a
 * key: all keys have them, and are recognised by them.
 */
export function longLines(secret: string): string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !/^-----(?:BEGIN|END) /.test(line));
}

/** A list is separated by commas or semicolons; by spaces only where no sentence is: its words stand everywhere. */
function listItems(value: string): string[] {
  const items = value.split(/[,;]/).flatMap((item) => {
    const words = item.trim().split(/\s+/);
    return words.length === 1 ? words : words.filter((word) => !WORDS.test(word));
  });
  return items.filter((item) => item.length >= MIN_PART_LENGTH && item !== value && !isNoSecret(item));
}

/** `bob:PASSWORD`, `AccountKey=KEY`. */
function withPassword(item: string): string[] {
  if (ADDRESS.test(item)) return [item];
  const [, name = "", assigned] = ASSIGNMENT.exec(item) ?? [];
  const password = isSecretName(name) ? assigned : USER_AND_PASSWORD.exec(item)?.[1];
  return password === undefined || password.length < MIN_LITERAL_LENGTH ? [item] : [item, password];
}

function withDecoded(password: string): string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function readJson(value: string): unknown {
  if (!/^[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Texts whose key says that they are secret, and long ones that are neither words nor places. */
function textsIn(json: unknown): string[] {
  const texts: string[] = [];
  const open: [key: string, item: unknown][] = [["", json]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [key, item] = next;
    if (typeof item === "object" && item !== null) {
      for (const [inner, each] of Object.entries(item)) open.push([Array.isArray(item) ? key : inner, each]);
    } else if (typeof item === "string" && !isNoSecret(item)) {
      if (isSecretName(key) || (item.length >= MIN_PART_LENGTH && !WORDS.test(item))) texts.push(item);
    }
  }
  return texts;
}

/** A path, or an address without a password, as they stand beside secrets. */
function isNoSecret(text: string): boolean {
  return isPath(text) || (ADDRESS.test(text) && !/[@?]/.test(text));
}
