import { type ErrorCode, EXIT_STATUS } from "./error-codes.ts";
import type { ErrorInfo } from "./errors.ts";

/** Every error that Drydock throws. Programs decide by `code`, never by the message; `data` holds the details. */
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
