import { DrydockError } from "@drydock/protocol";
import type { CapabilityCall } from "../../ports.ts";

/** The data to analyze: from the request, else the response that was piped in, else the session's last one. */
export interface Subject {
  text: string;
  /** Empty: unknown. */
  mime: string;
  /** Only the head of it is here. */
  truncated: boolean;
  /** What the runner before said about it. */
  metadata: Readonly<Record<string, unknown>>;
  /** In words: where it came from. */
  origin: string;
}

export function readSubject(call: Pick<CapabilityCall, "values" | "input" | "command" | "action">): Subject {
  const { data } = call.values;
  if (data !== undefined && data !== null) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return { text, mime: "", truncated: false, metadata: {}, origin: "data given with the command" };
  }
  if (call.input === null) {
    throw new DrydockError(
      "input.invalid",
      "There is nothing to analyze: no data was given, and this session has no response yet.",
      `Pipe one in, as in \`/curl get URL | /${call.command} ${call.action.name}\`, or give the data with --data.`,
    );
  }
  const { info, text } = call.input;
  return {
    text,
    mime: info.mime.split(";")[0]?.trim().toLowerCase() ?? "",
    // Of what was truncated the whole may be at hand all the same.
    truncated: info.truncated && Buffer.byteLength(text) < info.size,
    metadata: info.metadata,
    origin: `the response of /${info.command} ${info.action}`,
  };
}
