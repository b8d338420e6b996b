import { listComments, type SyntaxNode, walkNodes } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { otherLetters } from "../change-text.ts";
import type { TestSpan } from "../expectation.ts";
import { argumentsOf, type EditedScript, isCall } from "./nodes.ts";

/** Comments that tools read. */
const DIRECTIVE =
  /^[!/*#@\s]*(?:@?(?:ts|jest|vitest)-|eslint|biome|prettier|istanbul|c8|v8|node:|webpack|vite|jsx|@\w|#)/;
/** Tests that ask what they are called, or whose results are kept by that. */
const ASKS_NAME =
  /[sS]napshot|currentTestName|\.title\b|\bt\.name\b|\b(?:task|context|ctx|test)\.name\b|getState|fullName/;
const LETTERED = /\w/;

/** Edits of comments: who reads them could take them for answers. */
export function sayAside({ text, salt }: EditedScript, program: SyntaxNode): Splice[] {
  return listComments(program).flatMap(({ start, end, value }) => {
    const words = String(value);
    if (DIRECTIVE.test(words) || !LETTERED.test(words)) return [];
    const at = text.indexOf(words, start);
    return at < start || at > end
      ? []
      : [{ start: at, end: at + words.length, replacement: otherLetters(words, salt) }];
  });
}

/** Tests with other titles, where theirs say numbers, or texts that they compare with. */
export function nameOtherwise(script: EditedScript, program: SyntaxNode, tests: readonly TestSpan[]): TestSpan[] {
  const { text, salt } = script;
  if (ASKS_NAME.test(text)) return [...tests];
  const titles = new Map<number, SyntaxNode>();
  for (const { node } of walkNodes(program)) {
    const [title] = isCall(node) ? argumentsOf(node) : [];
    if (title?.type === "StringLiteral") titles.set(node.start, title);
  }
  return tests.map((test) => {
    const title = titles.get(test.start);
    const was = String(title?.value);
    if (!title || text.split(was).length !== 2 || /[%$]/.test(was)) return test;
    const name = changeTold(was, listTexts(text.slice(title.end, test.end)), salt);
    if (name === was || text.includes(name)) return test;
    const splices = [{ start: title.start, end: title.end, replacement: JSON.stringify(name) }];
    return { ...test, renamed: { name, splices } };
  });
}

function changeTold(title: string, told: readonly string[], salt: string): string {
  const small = title.toLowerCase();
  const numbers = title.replace(/\d+/g, (found) => otherLetters(found, salt));
  return told.reduce((name, each) => {
    const at = small.indexOf(each);
    return at < 0
      ? name
      : name.slice(0, at) + otherLetters(name.slice(at, at + each.length), salt) + name.slice(at + each.length);
  }, numbers);
}

/** Quoted texts of two letters or more, in small letters. */
function listTexts(text: string): string[] {
  return [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){2,60})\1/g)].map(([, , inner = ""]) => inner.toLowerCase());
}
