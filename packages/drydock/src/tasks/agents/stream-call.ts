import type { AgentCallOptions, AgentResult, AgentStreamEvent } from "./agent.ts";

/** Progress as it comes, then the result. Ending the iteration cancels the call; errors of the call are thrown. */
export async function* streamCall(
  run: (options: AgentCallOptions) => Promise<AgentResult>,
  options: AgentCallOptions,
): AsyncGenerator<AgentStreamEvent<unknown>, void, undefined> {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const queue: AgentStreamEvent<unknown>[] = [];
  let wake = () => {};
  let isOver = false;
  const call = run({
    ...options,
    signal,
    onProgress(progress) {
      options.onProgress?.(progress);
      queue.push(progress);
      wake();
    },
  }).finally(() => {
    isOver = true;
    wake();
  });
  call.catch(() => undefined);
  try {
    for (;;) {
      for (let next = queue.shift(); next; next = queue.shift()) yield next;
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isOver || queue.length > 0) resolve();
      });
    }
    const { output, runId } = await call;
    yield { kind: "result", output, runId };
  } finally {
    if (!isOver) {
      stopping.abort();
      await call.catch(() => undefined);
    }
  }
}
