import { afterAll, describe, expect, it } from "vitest";
import { openExtensionDock } from "../testing/extension-dock.ts";
import { openSite } from "./browser/site.ts";

const site = await openSite();
afterAll(() => site.close());
const made = openExtensionDock({
  extensions: [],
  policy: `version: 1\nnetwork: { allow: ["${site.host}"] }\n`,
});

describe("/web", () => {
  it("opens a page, and gives all of it, one part, or an analysis", async () => {
    const whole = await made.call(`/web ${site.url("/")}`);
    expect(whole).toMatchObject({
      json: { title: "A page & more", status: 200, text: expect.stringContaining("What is seen.") },
      artifacts: [{ mime: "image/png" }],
    });
    const analysis = await made.output("/web analyze");
    expect(analysis).toContain("JSON from the response of /web open");
    expect(analysis).toContain("links: array (3 each)");
    expect(await made.output(`/web text ${site.url("/")}`)).toMatch(/^A page & more\n\nWhat is seen\./);
    const links = `/web links ${site.url("/")} | /jq '.[0].href' --raw`;
    expect(await made.output(links)).toBe(`${site.url("/one")}\n`);
    const picture = await made.call(`/web screenshot ${site.url("/")} --width 200 --height 100`);
    expect(picture).toMatchObject({ json: { screenshot: { mime: "image/png" } }, artifacts: [{ mime: "image/png" }] });
    expect("json" in picture && picture.json).not.toHaveProperty("text");
  });

  it("reaches no host that the policy does not allow, and says how one is allowed", async () => {
    expect(await made.error("/web open https://elsewhere.example/")).toMatchObject({
      code: "policy.network_denied",
      hint: expect.stringContaining("drydock policy allow network elsewhere.example:443"),
    });
  });
});
