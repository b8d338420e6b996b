import { createClient } from "@drydock/client";
import { describe, expect, it } from "vitest";
import { openHostServer } from "./testing/open-host-server.ts";

const place = openHostServer();
const open = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });

describe("CloudEvents", () => {
  const cloud = { specversion: "1.0", id: "1", source: "/shop", type: "message.received", conversationid: "cloud" };
  const post = async (headers: Record<string, string>, body: string) => {
    const answer = await place.fetch("/api/events", { method: "POST", headers, body });
    return { status: answer.status, value: (await answer.json()) as Record<string, unknown> };
  };

  it("are taken in structured mode, once each", async () => {
    const headers = { "content-type": "application/cloudevents+json; charset=utf-8" };
    const body = JSON.stringify({ ...cloud, time: "2026-01-01T00:00:00Z", data: { text: "from a cloud" } });
    const first = await post(headers, body);
    expect(first.value).toMatchObject({ kind: "answered", text: "from a cloud" });
    expect((await post(headers, body)).value).toMatchObject({ kind: "duplicate", runId: first.value.runId });
    expect(await open().host.events.get(String(first.value.eventId))).toMatchObject({
      event: { source_event_type: "message.received", data: { cloudevent: { source: "/shop" } }, time: 1767225600 },
    });
  });

  it("are taken in binary mode, with text, JSON or bytes", async () => {
    const named = (id: string, type = "message.received") => ({
      ...{ "ce-specversion": "1.0", "ce-id": id, "ce-source": "/shop", "ce-type": type, "ce-conversationid": "binary" },
    });
    const text = await post({ ...named("t"), "content-type": "text/plain" }, "plain words");
    expect(text.value).toMatchObject({ text: "plain words" });
    const json = await post({ ...named("j"), "content-type": "application/json" }, '{"text":"in JSON"}');
    expect(json.value).toMatchObject({ text: "in JSON" });
    const bytes = await post({ ...named("b", "com.Example.Made"), "content-type": "image/png" }, "png");
    expect(bytes.value).toMatchObject({ kind: "unbound" });
    expect(await open().host.events.get(String(bytes.value.eventId))).toMatchObject({
      type: "webhook.received",
      event: { source_event_type: "com.Example.Made", data: { data_base64: "cG5n" } },
    });
  });

  it.each([
    ["a batch", { "content-type": "application/cloudevents-batch+json" }, "[]", 415, "binary mode"],
    ["no id", { "content-type": "application/cloudevents+json" }, JSON.stringify({ ...cloud, id: "" }), 400, "id"],
    ["a version", { "content-type": "application/cloudevents+json" }, '{"specversion":"0.3"}', 400, "specversion"],
    ["no JSON", { "content-type": "application/cloudevents+json" }, "{", 400, "JSON"],
    ["too deep", { "content-type": "application/cloudevents+json" }, "[".repeat(5000), 400, "deep"],
    ["half of the headers", { "ce-specversion": "1.0", "ce-id": "1" }, "", 400, "source"],
  ])("are refused with a reason: %s", async (_, headers, body, status, reason) => {
    const answer = await post(headers as Record<string, string>, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.value)).toContain(reason);
  });
});
