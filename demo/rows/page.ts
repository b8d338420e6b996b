import type { Row } from "./row.ts";
import type { Group } from "./table/index.ts";

const INTRO = `# What you get, row by row

Each row is something that Drydock is for, with one command that shows it. The results are measured: \`npm run rows\` runs all of these
commands one after the other, compares what they print with what they should, and writes this page. \`npm run rows -- --only A3,B4\` runs
some of them and shows their output.

- The commands can be typed in the root of a clone after \`npm run setup\`, with \`node_modules/.bin\` first on the \`PATH\`. A home for the
  experiment keeps your own clean: \`export DRYDOCK_HOME=$(mktemp -d)\`.
- **model**: the command asks a language model. In the measured runs a script answers in its place, on a server of this machine that
  speaks OpenAI's protocol; [its answers](../demo/rows/scripted-answers.ts) are written by hand. \`npm run rows -- --serve-model\` starts the
  same server and prints the variables for it. With a [model](guides/models.md) of your own the words will differ.
- \`--model scripted:FILE\` names a script as well: its answers are in the file. Everything else in each row is real.
- *works*: the command did what the row says. *in part*: it did, and what is named is missing. *fails*: it did not. What a row names as
  *not shown* is part of Drydock, and this command does not measure it.
`;

/** What a row's result can be, so that a page written by hand is noticed. */
const RESULT = /^(works|in part: .+|fails: .+)$/;

export function writePage(groups: readonly Group[], results: ReadonlyMap<string, string>): string {
  const sections = groups.map(({ title, rows }) =>
    [
      `## ${title}\n`,
      "| | what you get | command | result |",
      "|---|---|---|---|",
      ...rows.map((row) => writeRow(row, results.get(row.id) ?? "fails: it was not run")),
    ].join("\n"),
  );
  return `${[INTRO, ...sections].join("\n\n").replace("\n\n\n", "\n\n")}\n`;
}

function writeRow({ id, gives, command, model }: Row, result: string): string {
  const cells = [id, gives, `${model ? "**model** " : ""}${writeCode(command)}`, result];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A command that itself holds backticks stands between two of them. */
function writeCode(command: string): string {
  return command.includes("`") ? `\`\` ${command} \`\`` : `\`${command}\``;
}

/** The results that a page holds, by row; rows whose result is none of the known ones are left out. */
export function readResults(page: string): Map<string, string> {
  const rows = [...page.matchAll(/^\| ([A-Z]\d+) \|.*(?<!\\)\| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, id = "", result = ""]) => (RESULT.test(result) ? [[id, result.replaceAll("\\|", "|")]] : [])),
  );
}
