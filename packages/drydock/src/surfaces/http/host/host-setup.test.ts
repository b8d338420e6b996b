import { createClient } from "@drydock/client";
import { describe, expect, it } from "vitest";
import { openHostServer } from "./testing/open-host-server.ts";

const place = openHostServer();
const open = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });

describe("agents", () => {
  it("have forms: what can be chosen, and files that settings name", async () => {
    const { host } = open();
    const { tools, models, actions } = await host.choices();
    expect(tools).toEqual(
      expect.arrayContaining([
        { name: "execute_code", origin: "sandbox", description: null },
        { name: "activate", origin: "skills", description: null },
      ]),
    );
    expect(models).toEqual(expect.any(Array));
    expect(actions.map(({ name }) => name)).toContain("message.send");
    const file = await host.files.add({ name: "a.csv", content_base64: btoa("1,2") });
    expect(file).toEqual({ file_key: expect.any(String), file_name: "a.csv", mime_type: "text/csv" });
    await expect(host.files.add({ name: "a", content_base64: "no base64!" })).rejects.toMatchObject({
      code: "input.invalid",
    });
  });
});
