import { noModelError } from "../../models/index.ts";
import type { ChatOptions, ChatResult, TestedModel, TestModelOptions } from "./api.ts";
import type { ModelSettings } from "./config-models.ts";

interface TestPorts {
  readModelSettings(model: string | undefined): Promise<ModelSettings>;
  chat(options: ChatOptions): Promise<ChatResult>;
}

const QUESTION = "Answer with the single word: ready";
/** Models that think before they answer need more than the answer's one word. */
const ANSWER_TOKENS = 1024;

/** One small request, as any other: with the provider's address, key and proxy, and on record. */
export async function testModel(ports: TestPorts, options: TestModelOptions): Promise<TestedModel> {
  const { spec, detected } = await ports.readModelSettings(options.model);
  if (spec === null) throw noModelError("There is nothing to test without a model");
  const since = performance.now();
  const { runId, answer } = await ports.chat({
    ...options,
    messages: [{ role: "user", text: QUESTION }],
    maxOutputTokens: ANSWER_TOKENS,
  });
  const durationMs = Math.round(performance.now() - since);
  const { model, text, usage, requests = 1 } = answer;
  return { model, reason: detected?.reason ?? null, runId, text, durationMs, requests, usage };
}
