import type { ServerContext } from "@modelcontextprotocol/server";

export interface ProgressReporter {
  /** Says what goes on, and how much is done of how much, where that is known. */
  report(message: string, done?: { steps: number; of: number }): void;
  /** Output as it comes, joined to a message now and then. */
  output(chunk: { text: string }): void;
  /** The call has its answer: nothing more is said about it. */
  stop(): void;
}

const INTERVAL_MS = 100;
const MAX_MESSAGE_CHARS = 2000;

/**
 * Notifications of one call, if the client requested them. A client that does not read blocks nothing and fills no
 * memory: at most one message is under way, and of what waits behind it only the tail is kept.
 */
export function createProgress({ mcpReq }: ServerContext): ProgressReporter {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => {}, output: () => {}, stop: () => {} };
  let base = 0;
  let total: number | undefined;
  let count = 0;
  let underWay = false;
  let stopped = false;
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (stopped || mcpReq.signal.aborted || waiting === "") return;
    if (underWay) return schedule();
    const message = waiting;
    waiting = "";
    underWay = true;
    // The protocol wants a number that only grows: between two steps it approaches the next and never reaches it.
    const progress = base + 1 - 1 / (1 + ++count / 100);
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, total, message } })
      .catch(() => {})
      .finally(() => {
        underWay = false;
      });
  };
  const schedule = () => {
    timer ??= setTimeout(flush, INTERVAL_MS).unref();
  };
  return {
    report(message, done) {
      if (done && done.steps + 1 > base) {
        base = done.steps + 1;
        total = done.of + 1;
        count = 0;
      }
      waiting = (waiting === "" ? message : `${waiting}\n${message}`).slice(-MAX_MESSAGE_CHARS);
      flush();
    },
    output({ text }) {
      waiting = (waiting + text).slice(-MAX_MESSAGE_CHARS);
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
