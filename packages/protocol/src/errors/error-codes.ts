import { KERNEL_LIMITS, type LimitName } from "../limits.ts";

/**
 * Who can do something about an error. `author`: who wrote what was refused or failed (code, a plan, an answer, a request),
 * often a model. `user`: who started the run. `owner`: who sets up this machine, its policy and its extensions.
 */
type Actor = "author" | "user" | "owner" | "nobody";

/**
 * `execution`: an execution can end with it. `not-code`: it says nothing about the code that ran, so that no check fails
 * because of it. `stops-task`: no answer of a model can help, so that a task does not try again.
 */
type Fact = "execution" | "not-code" | "stops-task";

type Row = readonly [exitStatus: number, httpStatus: number, actor: Actor, ...facts: Fact[]];

const LIMIT_ROW = [4, 422, "author", "execution"] as const satisfies Row;
/** The table of limits names the codes of runs that reached one. */
const LIMIT_ROWS = Object.fromEntries(KERNEL_LIMITS.map(({ name }) => [`limit.${name}`, LIMIT_ROW])) as Record<
  `limit.${LimitName}`,
  typeof LIMIT_ROW
>;

/** Every code that a user, a program or a model may meet. What follows from a code is read from its row. */
const ROWS = {
  "code.syntax": [1, 422, "author", "execution"],
  "code.exception": [1, 422, "author", "execution"],
  "code.exit": [1, 422, "author", "execution"],
  "code.import_missing": [1, 422, "author", "execution"],
  "code.crash": [1, 422, "author", "execution"],
  "plan.invalid": [1, 422, "author"],
  // The server works: the request depends on a model that can't be used, or did not answer.
  "model.failed": [1, 424, "author"],
  "delivery.conflict": [1, 409, "user", "not-code"],
  // What a plugin did, or failed to do: the request depends on it.
  "runner.failed": [1, 424, "author"],
  "runner.no_output": [1, 424, "author"],
  "runner.protocol": [1, 424, "author"],
  "input.invalid": [2, 400, "author", "not-code"],
  "session.not_found": [2, 404, "user", "stops-task"],
  "run.not_found": [2, 404, "user"],
  "extension.invalid": [2, 422, "author"],
  "extension.not_found": [2, 404, "author"],
  "extension.conflict": [2, 409, "owner"],
  "approval.not_found": [2, 404, "user"],
  "agent.not_found": [2, 404, "user"],
  "conversation.not_found": [2, 404, "user"],
  "event.not_found": [2, 404, "user"],
  "source.not_found": [2, 404, "user"],
  "run.ended": [2, 409, "user"],
  "knowledge.not_found": [2, 404, "user"],
  "policy.invalid": [3, 403, "owner", "stops-task"],
  "policy.conflict": [3, 409, "owner"],
  "policy.import_denied": [3, 403, "author", "execution"],
  "policy.call_denied": [3, 403, "author", "execution"],
  "policy.path_denied": [3, 403, "author", "execution"],
  "policy.command_denied": [3, 403, "author"],
  "policy.network_denied": [3, 403, "author", "execution"],
  "policy.approval_denied": [3, 403, "user"],
  "extension.disabled": [3, 403, "owner"],
  "extension.quarantined": [3, 403, "owner"],
  ...LIMIT_ROWS,
  "limit.concurrency": [4, 429, "user", "not-code", "stops-task"],
  "limit.budget": [4, 429, "user", "stops-task"],
  "limit.quota": [4, 429, "user"],
  "runner.timeout": [4, 424, "author"],
  "session.limit": [4, 429, "user", "stops-task"],
  "session.task_limit": [4, 429, "user", "stops-task"],
  "session.fork_refused": [4, 409, "user", "stops-task"],
  "session.rollback_refused": [4, 409, "user", "stops-task"],
  "sandbox.unavailable": [5, 503, "owner", "not-code", "stops-task"],
  "sandbox.level": [5, 503, "owner", "not-code", "stops-task"],
  "model.unavailable": [5, 424, "owner"],
  "upstream.unavailable": [5, 424, "owner", "stops-task"],
  "runner.unavailable": [5, 424, "owner", "stops-task"],
  "runner.channel_lost": [5, 424, "owner", "stops-task"],
  "extension.tool_missing": [5, 424, "owner"],
  internal: [70, 500, "nobody", "execution", "not-code", "stops-task"],
  "ledger.unavailable": [70, 503, "owner", "not-code", "stops-task"],
  "run.cancelled": [130, 409, "user", "execution", "not-code"],
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof ROWS;
export const ERROR_CODES = Object.keys(ROWS) as [ErrorCode, ...ErrorCode[]];

/** The exit status that the command line gives for a code. */
export const EXIT_STATUS = readColumn(0);

/** The status of an HTTP answer with this error. */
export const HTTP_STATUS = readColumn(1);

/** Who can do something about an error with this code. */
export const ERROR_ACTOR = readColumn(2);

/** Whether the code's row has this fact. */
export function hasFact(code: ErrorCode, fact: Fact): boolean {
  const row: Row = ROWS[code];
  return row.includes(fact);
}

function readColumn<Column extends 0 | 1 | 2>(column: Column) {
  const cells = ERROR_CODES.map((code) => [code, ROWS[code][column]]);
  return Object.fromEntries(cells) as { readonly [Code in ErrorCode]: (typeof ROWS)[Code][Column] };
}
