import { DrydockError, type ErrorInfo, internalError } from "@drydock/protocol";

/** What crosses the socket in place of an exception. */
export function toErrorInfo(error: unknown): ErrorInfo {
  return (error instanceof DrydockError ? error : internalError(error)).toInfo();
}

/** The exception that an error from the other side of the socket stands for. */
export function fromErrorInfo({ code, message, hint, ...data }: ErrorInfo): DrydockError {
  return new DrydockError(code, message, hint, data);
}
