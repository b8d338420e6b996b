export interface Completable {
  commands: readonly { name: string; words?: readonly string[] }[];
  agents: Iterable<string>;
  variables: Iterable<string>;
}

/** What the Tab key offers for a line: what there is, and the part of the line that it takes the place of. */
export function completeLine(line: string, { commands, agents, variables }: Completable): [string[], string] {
  const command = /^\/(\w*)$/.exec(line);
  if (command)
    return offer(
      commands.map(({ name }) => `/${name} `),
      line,
    );
  const argument = /^\/(\w+)\s+(\S*)$/.exec(line);
  if (argument) {
    const [, name, begun = ""] = argument;
    const words = commands.find((each) => each.name === name)?.words ?? [];
    return offer([...words, ...(name === "run" ? agents : []), ...(name === "execute" ? variables : [])], begun);
  }
  const begun = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(line)?.[0] ?? "";
  if (begun === "") return [[], ""];
  const first = line === begun ? ["agent(", "execute ", "await "] : [];
  return offer([...first, ...[...agents].map((name) => `${name}(`), ...variables], begun);
}

function offer(words: Iterable<string>, begun: string): [string[], string] {
  return [[...new Set(words)].filter((word) => word.startsWith(begun)).sort(), begun];
}
