import { DrydockError, type ErrorCode } from "@drydock/protocol";

/** An error whose status is not the one that its code has. */
export class HttpProblem extends DrydockError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    error: { code?: ErrorCode; message: string; hint: string; data?: Record<string, unknown> },
    headers: Record<string, string> = {},
  ) {
    super(error.code ?? "input.invalid", error.message, error.hint, error.data);
    this.status = status;
    this.headers = headers;
  }
}
