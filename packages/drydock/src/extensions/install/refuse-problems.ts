import { DrydockError, type ExtensionProblem } from "@drydock/protocol";

const MAX_TOLD = 20;

/** `commands.yaml:12:7: commands[0].name: …` */
export function formatProblem({ file, line, column, field, message }: ExtensionProblem): string {
  const place = line === null ? file : `${file}:${line}${column === null ? "" : `:${column}`}`;
  return `${place}: ${field === "" ? "" : `${field}: `}${message}`;
}

/** The first thing that is wrong, and how many more there are; all of them in the data. */
export function refuseProblems(source: string, all: readonly ExtensionProblem[]): DrydockError {
  const problems = all.filter(({ severity }) => severity === "error");
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new DrydockError(
    "extension.invalid",
    `${source} is not a valid extension: ${first ? formatProblem(first) : "it can't be read"}${more}`,
    "`drydock ext lint DIR` shows everything that is wrong with an extension.",
    { source, problems: problems.slice(0, MAX_TOLD).map(formatProblem) },
  );
}
