import * as z from "zod";

/** Codes of errors that a call of the host API can end with. */
export const API_ERROR_CODES = [
  "unauthorized",
  "not_found",
  "deadline_exceeded",
  "payload_too_large",
  "rate_limited",
  "invalid_argument",
  "runtime_error",
] as const;
export type ApiErrorCode = (typeof API_ERROR_CODES)[number];

/** Travels in `data` of a JSON-RPC error. */
export const ApiErrorInfo = z.strictObject({
  code: z.enum(API_ERROR_CODES),
  message: z.string(),
  retryable: z.boolean().default(false),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type ApiErrorInfo = z.infer<typeof ApiErrorInfo>;

/** What a call of the host API is refused with, on both sides of the channel. */
export class ApiError extends Error {
  readonly info: ApiErrorInfo;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { retryable?: boolean; details?: ApiErrorInfo["details"] } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.info = { code, message, retryable: options.retryable ?? false, details: options.details ?? {} };
  }

  get code(): ApiErrorCode {
    return this.info.code;
  }

  get retryable(): boolean {
    return this.info.retryable;
  }

  get details(): ApiErrorInfo["details"] {
    return this.info.details;
  }
}

/** The number that JSON-RPC wants beside our code. */
export const API_ERROR_NUMBER = -32_000;
