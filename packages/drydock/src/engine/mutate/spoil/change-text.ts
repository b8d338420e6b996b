import { createHash } from "node:crypto";

const LETTERS = "bcdfghjkmpqtvwxz";

/** A suffix that is unlikely in any text and can't be predicted. */
function tailAt(at: number, salt: string): string {
  const digest = createHash("sha256").update(`${salt}${at}`).digest();
  return [...digest.subarray(0, 4)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
}

/** Another letter or digit of the same kind. A hexadecimal digit stays one, and a digit is never made longer. */
export function nextLetter(letter: string): string {
  const exceptions: Record<string, string> = { "9": "8", z: "y", Z: "Y", f: "e", F: "E" };
  return exceptions[letter] ?? String.fromCharCode(letter.charCodeAt(0) + 1);
}

/**
 * Source text of a string literal with another ending. With `far`, what comes out is no part of any likely text.
 * @param at Any number that differs from place to place: two endings need not look alike.
 */
export function changeQuoted(text: string, far: boolean, at: number, salt = ""): string {
  const body = text.slice(0, -1);
  const quote = text.slice(-1);
  if (far) return `${body}${tailAt(at, salt)}${quote}`;
  const last = body.slice(-1);
  if (body.length > 1 && /[A-Za-z0-9]/.test(last) && !body.slice(-12).includes("\\")) {
    return body.slice(0, -1) + nextLetter(last) + quote;
  }
  return `${body}s${quote}`;
}

const ALPHABETS = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** The same text with other letters and digits. */
export function otherLetters(text: string, salt: string): string {
  const shift = 1 + ((createHash("sha256").update(`${salt}${text}`).digest()[0] ?? 0) % 8);
  return text.replace(/[A-Za-z0-9]/g, (letter) => {
    const alphabet = ALPHABETS.find((each) => each.includes(letter)) ?? letter;
    return alphabet.charAt((alphabet.indexOf(letter) + shift) % alphabet.length);
  });
}
