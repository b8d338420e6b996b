import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { expect, it } from "vitest";
import { openChannel } from "./open-channel.ts";

it("an answer that is too long is an error of its call, and a request an error of its own: the channel stays open", async () => {
  const sent: string[] = [];
  const faults: string[] = [];
  const large = "x".repeat(RUNNER_LIMITS.hostLineBytes);
  const channel = openChannel(
    {
      send(text) {
        sent.push(text);
        return text.length <= RUNNER_LIMITS.hostLineBytes;
      },
    },
    ["get_prompt"],
    { onCall: async () => large, onNotification: () => {}, onFault: (message) => faults.push(message) },
  );
  channel.receive(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "get_prompt", params: {} }), true);
  await expect.poll(() => sent.length).toBe(1);
  expect(JSON.parse(sent[0] ?? "")).toMatchObject({ id: 7, error: { data: { code: "payload_too_large" } } });
  await expect(channel.request("runner.run", { large })).rejects.toThrow("at most 16777216 bytes");
  expect(faults).toEqual([]);
});
