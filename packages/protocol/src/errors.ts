import * as z from "zod";

/** Every code that a user, a program or a model may meet, with the exit status the command line gives for it. */
export const EXIT_STATUS = {
  "code.syntax": 1,
  "code.exception": 1,
  "code.exit": 1,
  "code.import_missing": 1,
  "code.crash": 1,
  "input.invalid": 2,
  "session.not_found": 2,
  "run.not_found": 2,
  "policy.invalid": 3,
  "policy.import_denied": 3,
  "policy.call_denied": 3,
  "policy.path_denied": 3,
  "policy.command_denied": 3,
  "policy.network_denied": 3,
  "policy.approval_denied": 3,
  "limit.timeout": 4,
  "limit.cpu": 4,
  "limit.memory": 4,
  "limit.processes": 4,
  "limit.output": 4,
  "limit.disk": 4,
  "limit.files": 4,
  "limit.concurrency": 4,
  "limit.budget": 4,
  "session.limit": 4,
  "session.task_limit": 4,
  "sandbox.unavailable": 5,
  "sandbox.level": 5,
  internal: 70,
  "ledger.unavailable": 70,
  "run.cancelled": 130,
} as const;

export type ErrorCode = keyof typeof EXIT_STATUS;
export const ERROR_CODES = Object.keys(EXIT_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The wire shape of an error: the same in the library's results, on the command line, over HTTP and MCP. */
export const ErrorInfo = z.looseObject({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  /** What a person or a model can do about it. */
  hint: z.string(),
  exitCode: z.number().int().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});
export type ErrorInfo = z.infer<typeof ErrorInfo>;

/** What Drydock throws. Nobody reads the message to decide: `code` decides, `data` holds the particulars. */
export class DrydockError extends Error {
  override readonly name = "DrydockError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, hint: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.data = data;
  }

  get exitStatus(): number {
    return EXIT_STATUS[this.code];
  }

  toInfo(): ErrorInfo {
    return { ...this.data, code: this.code, message: this.message, hint: this.hint };
  }
}
