import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SlowProvider extends AsyncDisposable {
  /** Up to `/v1`. */
  baseUrl: string;
  /** Resolves once somebody who was being answered has gone. */
  left: Promise<void>;
}

/** An OpenAI-compatible model that says a word, and then nothing for as long as somebody listens. */
export async function startSlowProvider(word: string): Promise<SlowProvider> {
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const choices = [{ index: 0, delta: { role: "assistant", content: word }, finish_reason: null }];
    response.write(
      `data: ${JSON.stringify({ id: "a", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`,
    );
    response.on("close", () => left.resolve());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    left: left.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
