import { DrydockError } from "@drydock/protocol";
import { errnoOf } from "./delivery-target.ts";

const KEPT = "The changes are kept.";

/** What the file system said, as an error that says what to do. What is no file system's word stays as it is. */
export function toDeliveryError(error: unknown, workspace: string): unknown {
  if (error instanceof DrydockError) return error;
  if (error instanceof Error && error.name === "AbortError") {
    return new DrydockError("run.cancelled", "The delivery was cancelled; nothing was changed.", KEPT, {}, error);
  }
  const make = (code: "limit.disk" | "delivery.conflict", message: string, hint: string) =>
    new DrydockError(code, message, `${hint} ${KEPT}`, { workspace }, error);
  switch (errnoOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return make(
        "limit.disk",
        `The disk is full: the changes can't be delivered to ${workspace}.`,
        "Free some space, and try again.",
      );
    case "EROFS":
      return make(
        "delivery.conflict",
        `${workspace} lies on a file system that is read-only.`,
        "Mount it writable, and try again.",
      );
    case "EACCES":
    case "EPERM":
      return make(
        "delivery.conflict",
        `The system does not let this user change something in ${workspace}: ${(error as Error).message}`,
        "Correct its permissions or attributes, and try again.",
      );
    default:
      return error;
  }
}
