import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const files = describeExtension(
  "files",
  '{ tools: [sh, ls, cat], paths: { read: ["data/**", "README.md"], write: ["out/**"] } }',
  `      - name: list
        description: Lists everything.
        runner: exec.sh
        args: [-c, "find . -type f | sort"]
      - name: write
        description: Writes a file.
        runner: exec.sh
        arguments: [{ name: path, type: path, required: true }]
        args: [-c, 'mkdir -p "$(dirname "$1")" && echo new > "$1"', sh, "{{ path }}"]
      - name: fill
        description: Writes much.
        runner: exec.sh
        arguments: [{ name: path, type: path, required: true }]
        args: [-c, 'head -c 600000 /dev/zero > "$1"', sh, "{{ path }}"]
      - name: read
        description: Reads a file.
        runner: exec.cat
        arguments: [{ name: path, type: path, required: true }]
`,
);
const burn = describeExtension(
  "burn",
  "{ tools: [sh], limits: { cpuSeconds: 1 } }",
  `      - name: on
        description: Never ends.
        runner: exec.sh
        timeoutSeconds: 50
        args: [-c, "while :; do :; done"]
`,
);
const net = describeExtension(
  "net",
  '{ tools: [curl], hosts: [policy, "declared.example:80"] }',
  `      - name: get
        description: Fetches.
        runner: exec.curl
        arguments: [{ name: url, type: url, required: true }]
        args: [-s, -L, -m, "5", "{{ url }}"]
      - name: fixed
        description: Fetches what no value names.
        runner: exec.curl
        arguments: [{ name: port, type: integer, required: true }]
        args: [-s, -S, -m, "5", "http://127.0.0.1:{{ port }}/"]
`,
);
const plain = describeExtension(
  "plain",
  "{ tools: [echo] }",
  `      - name: say
        description: Says it.
        runner: exec.echo
        arguments: [{ name: text, required: true }]
        args: ["{{ text }}"]
      - name: hello
        description: Says hello.
        runner: exec.echo
        args: [hello]
`,
);

describe("without a policy of the owner's", () => {
  const test = openExtensionDock({ extensions: [files, net, plain, burn] });
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = createServer((_, response) => response.end("from outside"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  it("shows a workspace as far as the permissions go, and leaves it as it is", async () => {
    const workspace = test.makeDirectory({ "data/a.csv": "1", "README.md": "2", "secret/key": "3", "other.txt": "4" });
    const context = { workspace };
    expect(await test.output("/files list", context)).toBe("./README.md\n./data/a.csv\n");
    expect(await test.output("/files read data/a.csv", context)).toBe("1");
    expect(await test.error("/files read secret/key", context)).toMatchObject({ code: "code.exit" });
    const written = await test.call("/files write out/new.txt", context);
    expect(written).toMatchObject({ success: true });
    expect(await test.output("/files list", context)).toBe("./README.md\n./data/a.csv\n");
    if (written.type !== "capability_result") throw new Error("unreachable");
    expect(await test.dock.runs.diff(written.runId ?? "")).toContain("out/new.txt");
    expect(await test.dock.runs.apply(written.runId ?? "")).toMatchObject({ outcome: "applied" });
    expect(await test.output("/files list", context)).toContain("./out/new.txt");
  });

  it("refuses to write outside of what was granted, and paths that lead out", async () => {
    const workspace = test.makeDirectory({ "data/a.csv": "1" });
    expect(await test.error("/files write data/b.csv", { workspace })).toMatchObject({ code: "policy.path_denied" });
    for (const path of ["../x", "/etc/x", "out/../../x"]) {
      expect(await test.error(`/files write ${path}`, { workspace }), path).toMatchObject({ code: "input.invalid" });
    }
  });

  it("gives no files to anybody where the policy gives none", async () => {
    const workspace = test.makeDirectory({ "data/a.csv": "1" });
    const policy = { files: { access: false } };
    expect(await test.error("/files list", { workspace, policy })).toMatchObject({ code: "policy.path_denied" });
    expect(await test.output("/files write out/x", { policy, session: "nothing" })).toBe("");
    expect(await test.output("/files list", { session: "nothing" })).toBe("");
  });

  it("keeps no more in a work directory than the policy's disk", async () => {
    const context = { session: "full", policy: { limits: { diskMb: 1 } } };
    expect(await test.call("/files fill a", context)).toMatchObject({ success: true, notes: [] });
    expect(await test.call("/files fill b", context)).toMatchObject({
      success: true,
      notes: [expect.stringContaining("limits.diskMb")],
    });
    expect(await test.output("/files list", context)).toBe("./a\n");
  });

  it("gives no more processor time than the extension was granted", async () => {
    expect(await test.error("/burn on")).toMatchObject({ code: "limit.cpu" });
  });

  it("brings nobody into the workspace who may see nothing of it", async () => {
    const workspace = test.makeDirectory({ "a.txt": "1" });
    expect(await test.output("/plain say hi", { workspace })).toBe("hi\n");
  });

  it("reaches no host that nobody allowed, and says who can", async () => {
    const url = `http://127.0.0.1:${port}/`;
    expect(await test.error(`/net get ${url}`)).toMatchObject({
      code: "policy.network_denied",
      hint: expect.stringContaining(`drydock policy allow network 127.0.0.1:${port}`),
    });
    expect(await test.call(`/net fixed ${port}`)).toMatchObject({ success: false });
  });

  it("never does more than its caller may", async () => {
    const policy = { commands: { allow: ["ls"] } };
    expect(await test.error("/plain say hi", { policy })).toMatchObject({ code: "policy.command_denied" });
    const narrow = { extensions: { allow: ["files", "net"] } };
    expect(await test.error("/plain say hi", { policy: narrow })).toMatchObject({ code: "extension.disabled" });
    expect(await test.error("/plain say hi", { policy: { network: { allow: ["x.org:1"] } } })).toMatchObject({
      code: expect.stringMatching(/^policy\./),
    });
  });

  it("puts every call that was refused on record, too", async () => {
    await test.error("/plain say hi", { policy: { commands: { allow: ["ls"] } }, session: "refused" });
    const { runs } = await test.dock.extensions.history({ session: "refused" });
    expect(runs).toMatchObject([
      { extension: "plain", command: "plain", action: "say", status: "failed", errorCode: "policy.command_denied" },
    ]);
    const events = await test.dock.runs.events(runs[0]?.id ?? "");
    expect(events.map(({ type }) => type)).toEqual(["run.created", "run.failed"]);
    expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
  });

  it("tells a disabled extension from one that nobody knows", async () => {
    await test.dock.extensions.disable("plain");
    expect(await test.error("/plain say hi")).toMatchObject({ code: "extension.disabled" });
    await test.dock.extensions.enable("plain");
    expect(await test.output("/plain say hi")).toBe("hi\n");
    expect(await test.call("/plian say hi")).toMatchObject({
      runId: null,
      error: { code: "extension.not_found", hint: expect.stringContaining("/plain") },
    });
  });

  it("answers a question for help without doing anything", async () => {
    expect(await test.call("/plain say --help")).toMatchObject({
      success: true,
      runId: null,
      output: expect.stringContaining("/plain say"),
    });
  });
});

describe("with a policy of the owner's", () => {
  let server: Server;
  const test = openExtensionDock({
    extensions: [net, plain],
    policy:
      'version: 1\nnetwork: { allow: ["127.0.0.1:*"] }\ncommands: { allow: [curl, "echo hello"] }\nextensions: { callsPerHour: 20 }\n',
  });
  let port = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "http://elsewhere.example:81/" });
      response.end("from outside");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  it("lets extensions that follow the policy reach what it allows, and not what a server sends them to", async () => {
    expect(await test.output(`/net get http://127.0.0.1:${port}/`)).toBe("from outside");
    const away = await test.call(`/net get http://127.0.0.1:${port}/away`);
    expect(away).toMatchObject({ metadata: { refused: ["elsewhere.example:81"] } });
  });

  it("holds its list of commands against extensions as well", async () => {
    expect(await test.output("/plain hello")).toBe("hello\n");
    expect(await test.error("/plain say bye")).toMatchObject({ code: "policy.command_denied" });
  });

  it("does not let an extension have a host that it declares and the policy leaves out", async () => {
    expect(await test.error("/net get http://declared.example/")).toMatchObject({
      code: "policy.network_denied",
      hint: expect.stringContaining("drydock policy allow network"),
    });
  });

  it("counts calls, and says when there is room again", async () => {
    let last: unknown;
    for (let count = 0; count < 20; count++) last = await test.call("/plain hello");
    expect(last).toMatchObject({ success: false, error: { code: "limit.quota", quota: "callsPerHour" } });
  });
});
