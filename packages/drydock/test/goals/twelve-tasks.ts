import { writeFiles } from "../../src/base/testing/write-files.ts";

/** Twelve tasks: a chain, tasks side by side, one that stands on three, one that is reworked, one that uses tools. */
const NEEDS: Record<string, string[]> = {
  a: [],
  b: ["a"],
  c: ["b"],
  d: [],
  e: [],
  f: [],
  g: ["d", "e", "f"],
  h: ["g"],
  i: ["c", "g"],
  j: ["i"],
  k: ["h", "i"],
  l: ["j", "k"],
};

export const TWELVE_TASKS = {
  goal: "twelve words",
  tasks: Object.entries(NEEDS).map(([id, dependsOn]) => ({
    id,
    title: `Write ${id}`,
    instructions: `Write ${id}`,
    dependsOn,
    scope: [`out/${id}.txt`, "log.txt"],
    checks: [
      { type: "file_contains", path: `out/${id}.txt`, needle: `${id} stands on ${dependsOn.join(" ")}` },
      ...(["c", "l"].includes(id) ? [{ type: "command", cmd: `grep -q stands out/${id}.txt` }] : []),
    ],
    attempts: 3,
  })),
};

const LOG = ["start", ...Object.keys(NEEDS), "end", ""];

/** Every task also writes its line of one file, so that results have to be merged. */
export const TWELVE_ANSWERS: object[] = Object.entries(NEEDS).flatMap<object>(([id, dependsOn]) => {
  const good = { path: `out/${id}.txt`, content: `${id} stands on ${dependsOn.join(" ")}\n` };
  if (id === "b") {
    return [
      { when: { task: id, step: "work" }, writes: [{ path: `out/${id}.txt`, content: "wrong\n" }] },
      { when: { task: id, step: "rework" }, writes: [good] },
    ];
  }
  if (id !== "d") return [{ when: { task: id }, writes: [good] }];
  return [
    {
      when: { task: id },
      toolCalls: [
        { name: "list", arguments: {} },
        { name: "write", arguments: good },
      ],
    },
    {
      when: { task: id },
      toolCalls: [{ name: "edit", arguments: { path: "log.txt", old: "\nd\n", new: "\nd was here\n" } }],
    },
    { when: { task: id }, text: "Done." },
  ];
});

export function writeTwelve(workspace: string): void {
  writeFiles(workspace, { "log.txt": LOG.join("\n"), "README.md": "Twelve tasks.\n" });
}
