import { expect, it } from "vitest";
import { applySplices } from "../../source/splice.ts";
import { mendScript } from "./mend-script.ts";

const LONG = Array.from({ length: 15 }, (_, at) => `export const f${at} = (a) => a + ${at};\n`).join("");

it.each([
  ["a missing bracket before a semicolon", "export const g = (a) => f1(a;\n", "export const g = (a) => f1(a);\n"],
  ["a missing brace", "export function g() {\n  return 1;\n", "export function g() {\n  return 1;\n}\n"],
  ["a bracket too much after emojis", 'const g = ["🙂🙂🙂🙂🙂🙂", f1(1))];\n', 'const g = ["🙂🙂🙂🙂🙂🙂", f1(1)];\n'],
  ["a bracket too much", "export const g = (a)) => a;\n", "export const g = (a) => a;\n"],
])("mends %s at the end of a file", (_, wrong, right) => {
  const text = LONG + wrong;
  expect(mendScript("a.js", text).map((edit) => applySplices(text, [edit]))).toContain(LONG + right);
});
