import { describe, expect, it } from "vitest";
import { describeExtension } from "../testing/extension-dock.ts";
import { openExtensionServer, openSite } from "./extension-server.ts";

const site = await openSite({ "/items": '{"items":[{"name":"anchor"},{"name":"rope"}]}' });
const words = describeExtension(
  "words",
  "{ tools: [show, sh] }",
  `      - name: show
        description: Shows its words.
        runner: exec.show
        arguments: [{ name: words, repeat: true }]
        flags: [{ name: size, type: integer, min: 1, max: 9 }]
        args: ["{{ words }}", { when: size, words: ["-n", "{{ value }}"] }]
      - name: fail
        description: Fails.
        runner: exec.sh
        args: [-c, "echo partly; echo 'it is broken' >&2; exit 4"]
`,
);
const place = openExtensionServer({
  extensions: [{ ...words, "tools/show": '#!/bin/sh\nfor word in "$@"; do printf "[%s]" "$word"; done\n' }],
  policy: `version: 1\nnetwork: { allow: ["${site.host}"] }\n`,
});

describe("the router over HTTP", () => {
  it("takes words as a shell would, without being one", async () => {
    expect(await place.output(`/words show 'two words' "a;b" $(id) --size 3`)).toBe("[two words][a;b][$(id)][-n][3]");
    const route = { command: "words", action: "show", values: { words: ["; rm", "$(x)\n"], size: 2 } };
    const { value } = await place.ask("POST", "/capabilities", { route });
    expect(value).toMatchObject({ type: "capability_result", success: true, output: "[; rm][$(x)\n][-n][2]" });
  });

  it.each([
    ["a flag that nobody declared", "/words show a --output=/etc/x", 400, "input.invalid"],
    ["a value that looks like an option", "/words show -rf", 400, "input.invalid"],
    ["a value of another type", "/words show a --size big", 400, "input.invalid"],
    ["a quote that is not closed", "/words show 'a", 400, "input.invalid"],
    ["a command that there is not", "/wrods show a", 404, "extension.not_found"],
    ["an action that there is not", "/words shwo a", 404, "extension.not_found"],
    ["a host that the policy does not name", "/curl get http://10.0.0.1/", 403, "policy.network_denied"],
    ["a tool that fails", "/words fail", 422, "code.exit"],
  ])("answers %s with its code, its status and a hint", async (_name, route, status, code) => {
    const { value, status: answered } = await place.ask("POST", "/capabilities", { route, session: "errors" });
    expect([answered, value.type, value.error.code]).toEqual([status, "capability_error", code]);
    expect(value.error.hint).not.toBe("");
    // The client gives the same outcome, and throws only where there is none.
    expect(await place.call(route)).toMatchObject({ success: false, error: { code } });
  });

  it("says what might have been meant", async () => {
    expect(await place.call("/wrods show a")).toMatchObject({
      error: { hint: expect.stringContaining("Did you mean /words") },
    });
    expect(await place.call("/words fail")).toMatchObject({
      output: "partly\n",
      error: { exitCode: 4, message: expect.stringContaining("it is broken") },
    });
  });

  it("refuses what is no request, before anything is looked up", async () => {
    for (const body of [{}, { route: 1 }, { route: "/x", session: "../x" }, { route: "/x", more: 1 }]) {
      expect((await place.ask("POST", "/capabilities", body)).status).toBe(400);
    }
    const scripted = { route: "/words show a", model: "scripted:/etc/passwd" };
    expect((await place.ask("POST", "/capabilities", scripted)).value.error.message).toContain("scripted");
    await expect(place.call("/x", { session: "" })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("helps, completes, and lists every action with its schema", async () => {
    const { client } = place;
    expect((await client.extensions.help()).text).toContain("/words");
    expect((await client.extensions.help("words show")).text).toContain("--size");
    expect(await place.output("/words show --help")).toBe((await client.extensions.help("words show")).text);
    const { completions } = await client.extensions.complete("/words sh");
    expect(completions).toEqual([{ word: "show", description: "Shows its words." }]);
    const { tools } = await client.extensions.tools();
    expect(tools.find(({ name }) => name === "words__show")?.inputSchema).toMatchObject({
      properties: { size: { type: "integer", minimum: 1, maximum: 9 } },
    });
  });

  it("pipes one into the next", async () => {
    const line = `/curl get http://${site.host}/items | /jq '.items[].name' --raw`;
    expect(await place.output(line, { session: "pipe" })).toBe("anchor\nrope\n");
  });
});

describe("what was called", () => {
  it("is on record with who, where, how long and what came of it", async () => {
    await place.output("/words show a", { session: "audit", user: "ada" });
    await place.call("/words fail", { session: "audit", user: "ada" });
    const { runs } = await place.client.extensions.history({ session: "audit", user: "ada" });
    expect(runs).toMatchObject([
      { extension: "words", command: "words", action: "fail", user: "ada", status: "failed", errorCode: "code.exit" },
      { extension: "words", command: "words", action: "show", user: "ada", status: "succeeded" },
    ]);
    expect(runs.every(({ durationMs }) => (durationMs ?? 0) > 0)).toBe(true);
    const page = await place.client.extensions.history({ extension: "words", limit: 1 });
    const next = await place.client.extensions.history({ extension: "words", limit: 1, cursor: page.cursor ?? "" });
    expect(next.runs[0]?.id).not.toBe(page.runs[0]?.id);
    expect((await place.ask("GET", "/capabilities/history?limit=0")).status).toBe(400);
    const named = await place.client.extensions.history({ user: "nobody" });
    expect(named).toEqual({ runs: [], cursor: null });
  });
});
