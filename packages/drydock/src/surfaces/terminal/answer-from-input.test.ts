import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { answerFromInput } from "./answer-from-input.ts";

/** What code would be answered, question by question, until the end. */
async function listAnswers(text: string, isTTY: boolean): Promise<string[]> {
  const input = Object.assign(new PassThrough(), { isTTY });
  const answers = answerFromInput(
    () => input as unknown as NodeJS.ReadStream,
    () => {},
  );
  input.end(text);
  const found: string[] = [];
  const { signal } = new AbortController();
  for (let line = await answers.answer({ hidden: false, signal }); line !== null; ) {
    found.push(line);
    line = await answers.answer({ hidden: false, signal });
  }
  return found;
}

const count = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at}\n`).join("");

describe("answers from standard input", () => {
  it("are lines, each for a question of its own", async () => {
    expect(await listAnswers("Ada\r\n\nlast", false)).toEqual(["Ada", "", "last"]);
  });

  it("are as much as there is after many lines of a pipe, with nothing lost", async () => {
    const text = `${count(5000)}\n\nend`;
    const found = await listAnswers(text, false);
    expect(found.length).toBeLessThan(300);
    expect(found.slice(0, 256).every((line) => !line.includes("\n"))).toBe(true);
    expect(found.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("")).toBe(`${text}\n`);
  });

  it("stay lines on a terminal, where somebody types them", async () => {
    expect(await listAnswers(count(500), true)).toHaveLength(500);
  });
});
