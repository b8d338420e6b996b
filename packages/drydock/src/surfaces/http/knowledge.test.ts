import { basename } from "node:path";
import { createClient } from "drydock/client";
import { expect, it } from "vitest";
import { loadHttpTokens } from "../../app/index.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const { createHttpToken } = await loadHttpTokens();
const place = openTestServer({});
const { call } = place;

it("reads, searches, shows and removes knowledge bases, as the client does", async () => {
  const workspace = place.makeWorkspace({ "crane.md": "# Crane\n\nIt lifts ten tons.", "empty.md": "" });
  const name = basename(workspace);
  const added = await call("POST", "/knowledge/handbook/documents", { paths: [workspace] });
  expect(added).toMatchObject({
    status: 200,
    value: { added: 1, failed: 1, failures: [{ source: `${name}/empty.md` }] },
  });
  const client = createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });
  const { hits } = await client.knowledge.search("handbook", { query: "tons", limit: 1 });
  expect(hits).toMatchObject([{ source: `${name}/crane.md`, position: { heading: "Crane" } }]);
  expect((await client.knowledge.list()).knowledge).toMatchObject([{ name: "handbook", documents: 1, failed: 1 }]);
  expect(await client.knowledge.show("handbook")).toMatchObject({ items: [{ problem: {} }, { problem: null }] });
  expect(await client.knowledge.refresh("handbook")).toMatchObject({ unchanged: 1, failed: 1 });
  expect(await call("DELETE", "/knowledge/handbook")).toMatchObject({ status: 200 });
  expect(await call("GET", "/knowledge/handbook")).toMatchObject({ status: 404 });
});

it("refuses what is not valid, and files to those who may not decide", async () => {
  const wrong: [string, object][] = [
    ["/knowledge/x/search", { query: "" }],
    ["/knowledge/x/search", { query: "x", filters: { owner: "me" } }],
    ["/knowledge/x/search", { query: "x", limit: 0 }],
    ["/knowledge/x/documents", { paths: ["relative"] }],
    ["/knowledge/x/documents", { paths: [place.server.dock.home] }],
    ["/knowledge/..%2Fx/documents", { paths: ["/tmp"] }],
  ];
  for (const [path, body] of wrong) expect([path, (await call("POST", path, body)).status]).toEqual([path, 400]);
  expect((await call("POST", "/knowledge/x/search", { query: "x" })).status).toBe(404);
  const scopes = { read: 403, run: 403 } as const;
  for (const [scope, status] of Object.entries(scopes)) {
    const { token } = await createHttpToken(place.server.dock.home, { scope: scope as keyof typeof scopes, name: "" });
    const headers = { authorization: `Bearer ${token}` };
    const body = { paths: ["/etc/hostname"] };
    expect((await call("POST", "/knowledge/x/documents", body, headers)).status).toBe(status);
    expect((await call("DELETE", "/knowledge/x", undefined, headers)).status).toBe(status);
    expect((await call("GET", "/knowledge", undefined, headers)).status).toBe(200);
  }
});
