import { expect, it } from "vitest";
import { noNetworkUse, noteRequest, takeNetworkUse } from "./network-use.ts";

const request = { upstream: "a", method: "GET", path: "/x", status: 200, bytesUp: 1, bytesDown: 2 };

it("adds up requests that are too many to be listed, for each upstream", () => {
  const use = noNetworkUse();
  for (let at = 0; at < 1000; at++) noteRequest(use, request);
  noteRequest(use, { ...request, inputTokens: 5, outputTokens: 1, costUsd: 1 });
  noteRequest(use, { ...request, inputTokens: 5, outputTokens: 1, costUsd: null });
  noteRequest(use, { ...request, upstream: "b" });
  expect(use.requests.slice(1000)).toEqual([
    {
      ...request,
      method: "*",
      path: "*",
      status: 0,
      requests: 2,
      bytesUp: 2,
      bytesDown: 4,
      inputTokens: 10,
      outputTokens: 2,
      costUsd: null,
    },
    { ...request, upstream: "b", method: "*", path: "*", status: 0, requests: 1 },
  ]);
});

it("is taken once", () => {
  const use = noNetworkUse();
  noteRequest(use, request);
  expect(takeNetworkUse(use).requests).toHaveLength(1);
  expect(takeNetworkUse(use).requests).toHaveLength(0);
});
