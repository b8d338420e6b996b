/** What a command printed, and how it ended. */
export interface Outcome {
  status: number | null;
  /** Standard output and standard error together, in the order in which they came. */
  output: string;
}

/** One promise of Drydock, and the command that shows it. */
export interface Row {
  id: string;
  /** What the user gets. */
  gives: string;
  /** A line for bash, typed in the root of the repository. */
  command: string;
  /** The command asks a language model: a script answers in its place, over OpenAI's protocol. */
  model?: true;
  expect: Expectation;
  /** What the row still lacks, each with how that is seen. */
  gaps?: readonly Gap[];
}

export interface Expectation {
  /** Default: 0. */
  status?: number;
  /** Texts and patterns, each of which must be in the output. */
  prints: readonly (string | RegExp)[];
  /** None of these may be in the output. */
  never?: readonly (string | RegExp)[];
}

export interface Gap {
  /** What is missing, in words. */
  what: string;
  /** A line for bash whose output shows it. Default: the output of the row's own command. */
  command?: string;
  /** The gap is there as long as the output fits. */
  seen: RegExp;
}

/** Why the outcome is not what the row promises; null if it is. */
export function findFault({ status = 0, prints, never = [] }: Expectation, outcome: Outcome): string | null {
  const has = (wanted: string | RegExp) =>
    typeof wanted === "string" ? outcome.output.includes(wanted) : wanted.test(outcome.output);
  const missing = prints.find((wanted) => !has(wanted));
  if (missing !== undefined) return `the output has no ${show(missing)}`;
  const present = never.find(has);
  if (present !== undefined) return `the output has ${show(present)}`;
  if (outcome.status !== status) return `the exit status is ${outcome.status}, not ${status}`;
  return null;
}

function show(wanted: string | RegExp): string {
  return typeof wanted === "string" ? `"${wanted}"` : String(wanted);
}
