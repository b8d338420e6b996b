import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Words with one meaning share a number of the vector. */
const MEANINGS = [
  ["boat", "ship", "vessel"],
  ["storm", "gale"],
  ["cook", "kitchen", "recipe"],
  ["tax", "invoice"],
];

export interface ModelServer {
  url: string;
  /** What was asked, in order. */
  requests: { path: string; key: string | undefined; body: Record<string, unknown> }[];
  /** Each request is answered with this status while it is set. */
  failure: number | null;
  /** Sent in place of the right answer while it is set. */
  answer: unknown;
  /** Tokens that it says it has read; null: it does not say. */
  tokens: number | null;
  /** It answers when this has resolved. */
  until: Promise<void> | null;
  close(): Promise<void>;
}

/** Speaks `/v1/embeddings`, `/v1/rerank` and Anthropic's `/v1/messages/count_tokens`. */
export async function startModelServer(): Promise<ModelServer> {
  const model: ModelServer = {
    url: "",
    requests: [],
    failure: null,
    answer: null,
    tokens: null,
    until: null,
    close: async () => {},
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => {
      text += piece;
    });
    request.on("end", async () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      const { authorization, "x-api-key": anthropicKey } = request.headers;
      model.requests.push({ path: request.url ?? "", key: authorization ?? String(anthropicKey), body });
      await model.until;
      const status = model.failure ?? 200;
      response.writeHead(status, { "content-type": "application/json" });
      const failure = { error: { message: `no, with the key ${authorization}` } };
      const { tokens } = model;
      const usage = tokens === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } };
      const right = { ...answer(request.url ?? "", body), ...usage };
      response.end(JSON.stringify(status === 200 ? (model.answer ?? right) : failure));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return model;
}

function answer(path: string, { input, documents, query, top_n }: Record<string, unknown>): object {
  if (path.endsWith("/embeddings"))
    return { data: (input as string[]).map((text, index) => ({ index, embedding: embed(text) })) };
  if (path.endsWith("/count_tokens")) return { input_tokens: 77 };
  const results = (documents as string[])
    .map((text, index) => ({ index, relevance_score: text.includes("golden") ? 1 : 0.1 / (index + 1) }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, top_n as number);
  return { results, query };
}

function embed(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...MEANINGS.map((same) => words.filter((word) => same.includes(word)).length), 0.01];
}
