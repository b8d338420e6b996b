import { DrydockError } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";
import { untilAborted } from "../../base/waiting/index.ts";
import type { Harness } from "../ports.ts";
import type { ApiContext, Handlers } from "./create-api.ts";

/** The agent of one run: there is none, one that is open, or one that has ended. */
export interface HarnessAccess {
  open(after: string | null): Promise<Harness>;
  current(): Harness | null;
  /** Ends it, if there is one. */
  close(): Promise<void>;
}

/** The agent that the settings name, which runs in the sandbox. What it may do there is no matter of the runner. */
export function harnessHandlers({ snapshot, harness, signal }: ApiContext): Handlers {
  if (!snapshot.harness) return {};
  const requireOpen = (): Harness => {
    const found = harness.current();
    if (found) return found;
    throw new ApiError("invalid_argument", "The agent is not open: call harness_open first.");
  };
  return {
    harness_open: ({ after }) =>
      refusing(async () => {
        if (harness.current()) throw new ApiError("invalid_argument", "The agent of this run is open already.");
        const { runId } = await untilAborted(harness.open(after ?? null), signal);
        return { run_id: runId };
      }),
    harness_send: ({ message }) =>
      refusing(async () => {
        await requireOpen().send(message);
        return {};
      }),
    harness_read: () => refusing(() => untilAborted(requireOpen().read(), signal)),
    harness_close: () =>
      refusing(async () => {
        const { runId, ...end } = await untilAborted(requireOpen().close(), signal);
        return { run_id: runId, ...end };
      }),
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    const { code, message, hint } = error;
    const isRefusal = code.startsWith("policy.");
    throw new ApiError(
      isRefusal ? "unauthorized" : code === "input.invalid" ? "invalid_argument" : "runtime_error",
      `${message} ${hint}`.trim(),
      {
        details: { code, hint },
      },
    );
  }
}
