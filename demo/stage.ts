import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** What the acts of the demo speak through. Colours come only where standard output is a terminal. */
export interface Stage {
  /** A temporary directory beside the dock's home, gone at the end. */
  readonly directory: string;
  act(title: string, ...introduction: string[]): void;
  say(text?: string): void;
  /** A line with its subject in front of it. */
  note(subject: string, text: string): void;
  paint(style: Style, text: string): string;
  /** Text that a program made: indented, cut after so many lines. */
  quote(text: string, lines?: number): void;
  table(rows: readonly (readonly string[])[]): void;
  /** States something that must be true, and remembers if it is not. */
  check(statement: string, isTrue: boolean): void;
  readonly failed: readonly string[];
}

const SUBJECT_COLUMNS = 10;

export function createStage(directory: string): Stage {
  const failed: string[] = [];
  let acts = 0;
  const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });
  const print = (line = "") => process.stdout.write(`${line}\n`);
  return {
    directory,
    act(title, ...introduction) {
      acts += 1;
      print(`\n${paint("bold", `${acts}. ${title}`)}`);
      for (const line of introduction) print(paint("dim", `   ${line}`));
    },
    say: (text = "") => print(text === "" ? "" : `   ${text}`),
    note: (subject, text) =>
      print(`   ${paint("dim", text === "" ? subject : subject.padEnd(SUBJECT_COLUMNS))}${text}`),
    paint,
    quote(text, lines = 40) {
      const all = text.trimEnd().split("\n");
      for (const line of all.slice(0, lines)) print(paint(styleOf(line), `   │ ${line}`.trimEnd()));
      if (all.length > lines) print(paint("dim", `   │ … ${all.length - lines} more lines`));
    },
    table(rows) {
      const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
      rows.forEach((row, index) => {
        const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ");
        print(index === 0 ? paint("dim", `   ${line.trimEnd()}`) : `   ${line.trimEnd()}`);
      });
    },
    check(statement, isTrue) {
      if (!isTrue) failed.push(statement);
      print(`   ${isTrue ? paint("green", "✔") : paint("red", "✘")} ${statement}`);
    },
    failed,
  };
}

/** Added and removed lines of a diff, as everybody shows them. */
function styleOf(line: string): Style {
  if (/^(\+\+\+|---|diff|index|@@|Binary)/.test(line)) return "dim";
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : "reset";
}
