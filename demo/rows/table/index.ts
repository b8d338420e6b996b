import type { Row } from "../row.ts";
import { AGENTS } from "./agents.ts";
import { BEYOND } from "./beyond.ts";
import { EXTENSIONS } from "./extensions.ts";
import { GOALS } from "./goals.ts";
import { TASKS } from "./tasks.ts";

export interface Group {
  title: string;
  rows: readonly Row[];
}

export const GROUPS: readonly Group[] = [
  { title: "A. Python tasks and sessions", rows: TASKS },
  { title: "B. Goals, plans and proof", rows: GOALS },
  { title: "C. Agents, library, REPL and server", rows: AGENTS },
  { title: "D. Extensions", rows: EXTENSIONS },
  { title: "X. Beyond these", rows: BEYOND },
];

export const ROWS: readonly Row[] = GROUPS.flatMap(({ rows }) => rows);
