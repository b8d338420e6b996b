import { beforeAll, expect, it } from "vitest";
import { eventually } from "../../../base/testing/eventually.ts";
import { openHostServer } from "../host/testing/open-host-server.ts";
import { visit } from "./testing/visit.ts";

const place = openHostServer({ limits: { chatConnections: 3 } });
let address = "";

beforeAll(async () => {
  const { sources } = place.server.dock.host;
  address = place.server.url + (await sources.add({ name: "desk", type: "webchat", settings: {} })).address;
  expect(await eventually(async () => (await sources.find("desk")).status.state === "running")).toBe(true);
});

it("strangers who fill a chat with visitors leave room for the owner, and for others when they have gone", async () => {
  const crowd = [await visit(address), await visit(address), await visit(address)];
  await expect(visit(address)).rejects.toThrow("503");
  expect((await place.call("GET", "/host/sources")).status).toBe(200);
  await crowd[0]?.close();
  const isIn = async () =>
    visit(address).then(
      (one) => one.close().then(() => true),
      () => false,
    );
  expect(await eventually(isIn)).toBe(true);
  for (const each of crowd.slice(1)) await each.close();
});
