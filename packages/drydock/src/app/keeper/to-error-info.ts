import { DrydockError, type ErrorInfo } from "@drydock/protocol";

/** What crosses the socket in place of an exception. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof DrydockError) return error.toInfo();
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message, hint: "This is a fault in Drydock itself. See drydock doctor." };
}

/** The exception that an error from the other side of the socket stands for. */
export function fromErrorInfo({ code, message, hint, ...data }: ErrorInfo): DrydockError {
  return new DrydockError(code, message, hint, data);
}
