import { methods, type PromptResponse } from "@agentclientprotocol/sdk";
import {
  ApiError,
  completed,
  defineRunner,
  delta,
  type HostApi,
  message,
  type RunnerContext,
  RunnerError,
  setState,
} from "@drydock/runner-sdk";
import { asClient, connectAgent } from "./connect-agent.ts";
import { manifest } from "./manifest.ts";
import { closeSession, openSession } from "./open-session.ts";
import { readPrompt } from "./read-prompt.ts";
import { createResults } from "./to-results.ts";

const STATE_KEY = "acp.session";
const DEADLINE_MS = 2000;

/**
 * One turn: the host starts the agent, the session of the turn before goes on, the agent answers, and everything is ended. What
 * lasts is the agent's home, its session's id, and the layer with its changes.
 */
export const acpAgent = defineRunner({
  manifest,
  async *run(ctx, api) {
    const earlier = readKept(ctx.state.conversation[STATE_KEY]);
    const runId = await openHarness(ctx, api, earlier.run_id);
    const results = createResults();
    const { stream, ended } = connectAgent(api);
    let sessionId = earlier.session_id;
    let isTurn = false;
    const turn = asClient(
      stream,
      // What an agent tells while it loads a session was said before.
      (update) => isTurn && results.take(update),
      async (agent): Promise<PromptResponse> => {
        const session = await openSession(agent, earlier.session_id);
        sessionId = session.sessionId;
        const prompt = await readPrompt(ctx, api, session.capabilities);
        isTurn = true;
        const answer = await agent.request(methods.agent.session.prompt, { sessionId, prompt });
        await closeSession(agent, session);
        return answer;
      },
    );
    turn.catch(() => {});
    yield* results.until(turn);
    const answer = await turn.catch((error: unknown) => explain(ctx, error, ended()));
    await requireTime(ctx);
    const { changes, verdict, delivery } = await api.harness_close();
    if (ctx.context.conversation_id && sessionId !== null)
      yield setState("conversation", STATE_KEY, { session_id: sessionId, run_id: runId });
    if (answer instanceof Error) throw answer;
    const finish_reason = readStop(answer);
    const said = results.text();
    const note = changes === 0 ? "" : describeChanges(changes, verdict, delivery, runId);
    const rest = said === "" || note === "" ? note : `\n\n${note}`;
    const text = `${said}${rest}`;
    if (text.trim() === "")
      throw new RunnerError("acp-agent.empty_response", "The agent ended its turn without a word.");
    if (rest !== "") yield delta(rest);
    yield message(text);
    yield completed({ finish_reason });
  },
});

async function openHarness(ctx: RunnerContext, api: HostApi, after: string | null): Promise<string> {
  try {
    return (await api.harness_open({ after })).run_id;
  } catch (error) {
    await requireTime(ctx);
    if (!(error instanceof ApiError)) throw error;
    const { code, message: text } = error.info;
    // A run that was forgotten since is nothing to go on from.
    if (code === "invalid_argument" && after !== null) return openHarness(ctx, api, null);
    const isSetUp = code === "unauthorized" || code === "invalid_argument";
    throw new RunnerError(isSetUp ? "acp-agent.config_invalid" : "acp-agent.api_error", text);
  }
}

/** At the deadline the host ends the run: a moment later it says so, and what failed here because of that is no matter. */
async function requireTime({ runtime, signal }: RunnerContext): Promise<void> {
  if (typeof runtime.deadline_at !== "number" || Date.now() < runtime.deadline_at * 1000) return;
  if (!signal.aborted) {
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
      setTimeout(resolve, DEADLINE_MS);
    });
  }
  signal.throwIfAborted();
  throw new RunnerError("acp-agent.timeout", "The agent took too long.", { retryable: true });
}

/** An agent that is gone says more than the request that it left unanswered. */
function explain({ signal }: RunnerContext, error: unknown, ended: string | null): Error {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error("cancelled");
  if (error instanceof RunnerError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const message = ended === null ? `The agent failed: ${text}` : `The agent is gone: ${ended}.`;
  return new RunnerError("acp-agent.api_error", message.slice(0, 1000), { retryable: ended !== null });
}

function readStop({ stopReason }: PromptResponse): string {
  if (stopReason === "refusal") throw new RunnerError("acp-agent.api_error", "The agent refused to go on.");
  if (stopReason === "cancelled") throw new RunnerError("acp-agent.api_error", "The agent cancelled its turn.");
  return stopReason === "end_turn" ? "stop" : "length";
}

function describeChanges(changes: number, verdict: string, delivery: string, runId: string): string {
  const what = `${changes} ${changes === 1 ? "path" : "paths"} changed, verdict ${verdict}`;
  return delivery === "applied" ? `[${what}, applied]` : `[${what}, ${delivery}: drydock runs diff ${runId}]`;
}

function readKept(value: unknown): { session_id: string | null; run_id: string | null } {
  const { session_id, run_id } = Object(value);
  return {
    session_id: typeof session_id === "string" ? session_id : null,
    run_id: typeof run_id === "string" ? run_id : null,
  };
}
