import { startProviderServer, type WireRequest } from "../../packages/drydock/src/models/testing/provider-server.ts";
import { SCRIPTED_ANSWERS } from "./scripted-answers.ts";

export interface ScriptedModel {
  /** What makes `drydock` ask it. */
  variables: Record<string, string>;
  close(): Promise<void>;
}

/** A server on this machine that speaks OpenAI's protocol, and answers from a script. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const server = await startProviderServer();
  server.answer((request) => {
    const text = readMessages(request);
    const found = SCRIPTED_ANSWERS.find(
      ({ whenAll, unless = [] }) =>
        whenAll.every((part) => text.includes(part)) && !unless.some((part) => text.includes(part)),
    );
    return found?.answer ?? { status: 400, error: { message: `The script has no answer to: ${text.slice(-300)}` } };
  });
  return {
    variables: {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "key-of-the-scripted-model",
      DRYDOCK_MODEL: "openai/scripted",
    },
    close: server.close,
  };
}

function readMessages({ body }: WireRequest): string {
  const messages = body.messages as { content?: string | { text?: string }[] | null }[];
  return messages
    .map(({ content }) => (Array.isArray(content) ? content.map(({ text = "" }) => text).join("\n") : (content ?? "")))
    .join("\n");
}
