import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeExtension, type Files } from "../testing/extension-dock.ts";
import { openExtensionServer } from "./extension-server.ts";

const USAGE = "# greet\n\n`/greet hello ada`\n";
const greet: Files = {
  ...describeExtension(
    "greet",
    "{ tools: [echo] }",
    `      - name: hello
        description: Says hello.
        runner: exec.echo
        arguments: [{ name: whom, required: true }]
        args: ["hello {{ whom }}"]
`,
  ),
  "docs/USAGE.md": USAGE,
};
const place = openExtensionServer();

describe("an extension over HTTP", () => {
  it("is shown before it is installed, installed as it was shown, and used", async () => {
    const source = place.makeDirectory(greet);
    const shown = await place.ask("POST", "/extensions", { source });
    expect(shown.status).toBe(200);
    expect(shown.value).toMatchObject({
      outcome: "planned",
      plan: { extension: { manifest: { id: "greet", permissions: { tools: ["echo"] } } }, installed: null },
    });
    expect(shown.value.plan.added).toContain("tool echo");
    expect((await place.ask("GET", "/extensions/greet")).status).toBe(404);
    expect(await place.call("/greet hello ada")).toMatchObject({ error: { code: "extension.not_found" } });

    const approved = shown.value.plan.extension.hash;
    const wrong = await place.ask("POST", "/extensions", { source, approved: "0".repeat(64) });
    expect([wrong.status, wrong.value.error.code]).toEqual([409, "policy.approval_denied"]);
    writeFileSync(join(source, "docs/USAGE.md"), "# another\n");
    const changed = await place.ask("POST", "/extensions", { source, approved });
    expect([changed.status, changed.value.error.hash === approved]).toEqual([409, false]);
    writeFileSync(join(source, "docs/USAGE.md"), USAGE);

    const key = { "idempotency-key": "install-greet" };
    const installed = await place.ask("POST", "/extensions", { source, approved, by: "ada" }, key);
    expect(installed.value).toMatchObject({
      outcome: "installed",
      extension: { state: "enabled", installedBy: "ada" },
    });
    expect((await place.ask("POST", "/extensions", { source, approved, by: "ada" }, key)).value).toEqual(
      installed.value,
    );
    expect(await place.output("/greet hello ada")).toBe("hello ada\n");
    const { usage, manifest } = await place.client.extensions.get("greet");
    expect([usage, manifest.version]).toEqual([USAGE, "1.0.0"]);
    expect(JSON.stringify(await place.client.extensions.list())).not.toContain(place.home);
  });

  it("asks again for what an update wants in addition, and for nothing else", async () => {
    const more = greet["extension.yaml"]?.replace("[echo]", "[echo, date]").replace("1.0.0", "1.1.0") ?? "";
    const source = place.makeDirectory({ ...greet, "extension.yaml": more });
    const shown = await place.client.extensions.update("greet", { source });
    expect(shown).toMatchObject({
      outcome: "planned",
      plan: { added: ["tool date"], installed: { hash: expect.any(String) } },
    });
    expect((await place.client.extensions.get("greet")).manifest.version).toBe("1.0.0");
    const approved = shown.outcome === "planned" ? shown.plan.extension.hash : "";
    expect(await place.client.extensions.update("greet", { source, approved })).toMatchObject({ outcome: "installed" });
    const next = more.replace("1.1.0", "1.2.0");
    const same = place.makeDirectory({ ...greet, "extension.yaml": next });
    expect(await place.client.extensions.update("greet", { source: same })).toMatchObject({
      outcome: "installed",
      extension: { manifest: { version: "1.2.0" } },
    });
  });

  it("is disabled, enabled and removed; who calls it meanwhile is told", async () => {
    await place.client.extensions.disable("greet");
    const refused = await place.ask("POST", "/capabilities", { route: "/greet hello ada" });
    expect([refused.status, refused.value.error.code]).toEqual([403, "extension.disabled"]);
    expect((await place.client.extensions.tools()).tools.map(({ name }) => name)).not.toContain("greet__hello");
    await place.client.extensions.enable("greet");
    expect(await place.output("/greet hello ada")).toBe("hello ada\n");
    expect(await place.client.extensions.remove("greet")).toEqual({ id: "greet", removed: true });
    const gone = await place.ask("POST", "/capabilities", { route: "/greet hello ada" });
    expect([gone.status, gone.value.error.code]).toEqual([404, "extension.not_found"]);
    await expect(place.client.extensions.remove("curl")).rejects.toMatchObject({ code: "extension.conflict" });
    await expect(place.client.extensions.disable("nobody")).rejects.toMatchObject({ code: "extension.not_found" });
  });

  it("comes as a tarball, too", async () => {
    const tarball = join(place.directory, "greet.tgz");
    execFileSync("tar", ["-czf", tarball, "-C", place.makeDirectory(greet), "."]);
    await place.add(tarball);
    expect(await place.output("/greet hello tar")).toBe("hello tar\n");
    await place.client.extensions.remove("greet");
  });

  it("that is wrong is told by file and line, and not installed", async () => {
    const broken = { ...greet, "commands.yaml": greet["commands.yaml"]?.replace("exec.echo", "exec.rm") ?? "" };
    const directory = place.makeDirectory(broken);
    const { ok, problems } = await place.client.extensions.lint(directory);
    expect([ok, problems[0]]).toEqual([false, expect.objectContaining({ file: "commands.yaml", line: 7 })]);
    await expect(place.client.extensions.add({ source: directory })).rejects.toMatchObject({
      code: "extension.invalid",
      data: { status: 422 },
    });
    await expect(place.client.extensions.lint("/nowhere")).rejects.toMatchObject({ code: "input.invalid" });
    await expect(place.client.extensions.add({ source: "/nowhere/at/all" })).rejects.toMatchObject({
      data: { status: expect.any(Number) },
    });
  });

  it("needs the token like everything else", async () => {
    for (const path of ["/extensions", "/capabilities", "/approvals", "/secrets", "/responses?session=a"]) {
      expect((await fetch(`${place.server.url}${path}`)).status, path).toBe(401);
    }
  });
});
