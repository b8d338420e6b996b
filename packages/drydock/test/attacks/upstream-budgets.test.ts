import { describe, expect, it } from "vitest";
import { CLIENT, openUpstreamDock, withUpstreams } from "../upstreams/upstream-dock.ts";

const test = openUpstreamDock();

/** `cut(address, body)` sends a request and goes away after the beginning of the answer, or after a moment without one. */
const CUT = `${CLIENT}
import time
def cut(target, body, wait=0.5):
    data = json.dumps(body).encode()
    with socket.create_connection(("127.0.0.1", 3128), 5) as s:
        s.settimeout(wait)
        s.sendall(b"POST " + target.encode() + b" HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(data) + data)
        got = b""
        try:
            while len(got) < 7000: got += s.recv(65536)
        except OSError: pass
    time.sleep(0.3)
`;

async function attack(code: string, upstream: string) {
  const run = await test.python(`${CUT}${code}`, { unsafe: true, ...withUpstreams(upstream) });
  expect(run.error).toBeNull();
  const events = (await test.dock.runs.events(run.runId)).filter(({ type }) => type === "upstream.requested");
  return { result: run.result, used: events.map(({ data }) => data) };
}

const bodyOf = (at: number) => JSON.parse(test.server.seen[at]?.body ?? "null");

describe("a request that is not to be counted", () => {
  it.each([
    ["compressed", `gzip.compress(body.encode()), {"content-encoding": "gzip"}`],
    ["in UTF-16", `body.encode("utf-16"), {}`],
    ["in a list", `b"[" + body.encode() + b"]", {}`],
  ])("does not go out: %s", async (_name, sent) => {
    const code = `
import gzip
body = json.dumps({"model": "gpt-5", "messages": []})
data, headers = ${sent}
request = urllib.request.Request("http://openai.dock/v1/chat/completions", data, {"content-type": "application/json", **headers})
try: result = urllib.request.urlopen(request).status
except urllib.error.HTTPError as error: result = error.code`;
    expect((await attack(code, "openai")).result).toBe(400);
    expect(test.server.seen).toEqual([]);
  });

  it.each(["g-1%3AgenerateContent", "g-1:gen%65rateContent", "g-1:generateContent"])(
    "is counted however its path is spelled: %s",
    async (name) => {
      const body = `{"contents": [{"parts": [{"text": "x" * 3500}]}]}`;
      const { result, used } = await attack(
        `ask("POST", "http://gemini.dock/v1beta/models/${name}", ${body})[0]`,
        "gemini",
      );
      expect(result).toBe(200);
      expect(Number(used[0]?.inputTokens)).toBeGreaterThan(900);
    },
  );

  it("gets a limit where it names none, and no more by other names or alternatives", async () => {
    const body = (more: string) => `{"model": "gpt-5", "messages": [], ${more}}`;
    const address = "http://small.dock/v1/chat/completions";
    const { result } = await attack(
      `[ask("POST", "${address}", each)[0] for each in (${body("")}, ${body(`"max_tokens": 1, "max_completion_tokens": 9000, "n": 2`)})]`,
      "small",
    );
    expect(result).toEqual([200, 200]);
    expect(bodyOf(0).max_completion_tokens).toBeLessThan(2500);
    const { max_tokens, max_completion_tokens, n } = bodyOf(1);
    expect(max_tokens).toBe(max_completion_tokens);
    expect(max_tokens * n).toBeLessThan(2500);
  });
});

describe("a request whose answer nobody waits for is not free", () => {
  it("after the text of a stream, before its usage", async () => {
    const body = `{"model": "claude-haiku-4-5", "max_tokens": 9000, "stream": True, "metadata": "long", "messages": []}`;
    const { used } = await attack(`cut("http://anthropic.dock/v1/messages", ${body})`, "anthropic");
    expect(used).toMatchObject([{ estimated: true, inputTokens: 1200 }]);
    expect(Number(used[0]?.outputTokens)).toBeGreaterThan(1500);
  });

  it("that is not streamed, and sets no limit", async () => {
    const body = `{"model": "gpt-5", "metadata": "hang", "messages": []}`;
    const { used } = await attack(`cut("http://openai.dock/v1/chat/completions", ${body})`, "openai");
    expect(used).toMatchObject([{ estimated: true, outputTokens: 16_384 }]);
  });

  it("that the model gives later, in the background", async () => {
    const body = `{"model": "gpt-5", "background": True, "max_output_tokens": 700, "input": "x"}`;
    const { used } = await attack(`ask("POST", "http://openai.dock/v1/responses", ${body})[0]`, "openai");
    expect(used).toMatchObject([{ status: 200, estimated: true, outputTokens: 700 }]);
  });
});

it("a request that never reached the upstream costs nothing", async () => {
  const body = `{"model": "gpt-5", "max_tokens": 2000, "messages": []}`;
  const { result } = await attack(
    `[ask("POST", "http://gone.dock/v1/chat/completions", ${body})[0] for _ in range(3)]`,
    "gone",
  );
  expect(result).toEqual([502, 502, 502]);
});
