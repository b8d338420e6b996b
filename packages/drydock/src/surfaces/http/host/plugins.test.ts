import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../testing/open-test-server.ts";

const place = openTestServer({});
const SECRET = "hush-4711-very-secret";
let source: string;

beforeAll(async () => {
  const { host } = place.server.dock;
  source = await host.plugins.scaffold("ada/greeter", {
    language: "python",
    directory: join(place.directory, "greeter"),
  });
});

describe("plugins over HTTP", () => {
  it("are installed as they were shown, and as nothing else", async () => {
    const shown = await place.call("POST", "/host/plugins", { source });
    const { plan } = shown.value as { plan: { sha256: string; runners: { id: string }[] } };
    expect(shown.value).toMatchObject({ outcome: "planned", plan: { id: "ada/greeter", installed: null, hosts: [] } });
    expect(plan.runners).toMatchObject([{ id: "plugin:ada/greeter/default" }]);
    expect(await ids()).not.toContain("ada/greeter");
    writeFileSync(join(source, "more.txt"), "not seen");
    const other = await place.call("POST", "/host/plugins", { source, approved: plan.sha256 });
    expect([other.status, other.value]).toMatchObject([400, { error: { code: "input.invalid" } }]);
    expect(await ids()).not.toContain("ada/greeter");
    const again = (await place.call("POST", "/host/plugins", { source })).value as { plan: { sha256: string } };
    const added = await place.call("POST", "/host/plugins", { source, approved: again.plan.sha256 });
    expect(added.value).toMatchObject({ outcome: "installed", plugin: { id: "ada/greeter", origin: "installed" } });
  });

  it("show what their processes have written, without the secrets that Drydock knows", async () => {
    const { dock } = place.server;
    await dock.extensions.secrets.set("GREETING", SECRET);
    expect((await place.call("GET", "/host/plugins/ada/greeter/log")).value).toEqual({ text: "" });
    const loud = await dock.host.plugins.scaffold("ada/loud", {
      ...{ language: "python", directory: join(place.directory, "loud") },
    });
    writeFileSync(join(loud, "main.py"), `import sys\nsys.stderr.write("it is ${SECRET}, I broke\\n")\nsys.exit(3)\n`);
    await dock.host.plugins.add(loud);
    await dock.host.plugins.runners();
    const { text } = (await place.call("GET", "/host/plugins/ada/loud/log")).value;
    expect(text).toMatch(/it is .*, I broke/);
    expect(text).not.toContain(SECRET);
    expect((await place.call("GET", "/host/plugins/ada/nobody/log")).value).toMatchObject({
      error: { code: "runner.unavailable" },
    });
  });

  it("are removed, but for those that come with Drydock", async () => {
    expect((await place.call("DELETE", "/host/plugins/ada/greeter")).value).toMatchObject({ id: "ada/greeter" });
    expect(await ids()).not.toContain("ada/greeter");
    expect((await place.call("DELETE", "/host/plugins/ada/greeter")).value).toMatchObject({
      error: { code: "runner.unavailable" },
    });
    expect((await place.call("DELETE", "/host/plugins/drydock/librarian")).status).toBe(400);
  });
});

async function ids(): Promise<string[]> {
  const { plugins } = (await place.call("GET", "/host/plugins")).value as { plugins: { id: string }[] };
  return plugins.map(({ id }) => id);
}
