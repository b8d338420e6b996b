import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useMcp } from "./testing/use-mcp.ts";

describe.each(["auto", "legacy"] as const)("a client that negotiates %s", (mode) => {
  const place = useMcp(mode);

  it("speaks the newest revision that both know", () => {
    expect(place().client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect(place().client.getInstructions()).toContain("execute_code");
  });

  it("gets output, result and pictures of code", async () => {
    const code = [
      "import struct, zlib",
      "def part(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))",
      "head = part(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0))",
      "png = b'\\x89PNG\\r\\n\\x1a\\n' + head + part(b'IDAT', zlib.compress(b'\\0\\xff\\0\\0')) + part(b'IEND', b'')",
      "open('dot.png', 'wb').write(png); open('words.txt', 'w').write('héllo')",
      "print('drawn')",
      "{'answer': 6 * 7}",
    ].join("\n");
    const { content, structuredContent, isError } = await place().call("execute_code", { code });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ ok: true, error: null, stdout: "drawn\n", result: { answer: 42 } });
    expect(content[0]).toMatchObject({ type: "text", text: expect.stringContaining("drawn") });
    const picture = content.find(({ type }) => type === "image") as { data: string; mimeType: string };
    expect(picture.mimeType).toBe("image/png");
    expect(Buffer.from(picture.data, "base64").subarray(1, 4).toString()).toBe("PNG");
    const link = content.find((block) => block.type === "resource_link" && block.name === "words.txt") as {
      uri: string;
    };
    const { client } = place();
    expect((await client.readResource({ uri: link.uri })).contents).toMatchObject([{ text: "héllo" }]);
    expect((await client.readResource({ uri: `${link.uri}?start=3&end=5` })).contents).toMatchObject([{ text: "ll" }]);
    const half = (await client.readResource({ uri: `${link.uri}?start=2&end=3` })).contents[0] as { blob: string };
    expect(Buffer.from(half.blob, "base64")).toEqual(Buffer.from("héllo").subarray(2, 3));
    expect((await client.listResources()).resources.map(({ name }) => name)).toContain("words.txt");
  });

  it("is told what went wrong by code, message and hint", async () => {
    const { isError, structuredContent } = await place().call("execute_code", { code: "import nothing_like_it" });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ ok: false, error: { code: "code.import_missing" } });
    expect(structuredContent.error?.hint).not.toBe("");
    const wrong = await place().call("execute_code", { cod: "1" });
    expect(wrong.isError).toBe(true);
    expect(wrong.structuredContent.error).toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("cod"),
    });
    await expect(place().client.callTool({ name: "no_such_tool" })).rejects.toThrow("no_such_tool");
  });

  it("is refused values that are nested too deeply, directly or as text", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(1000)}${"]".repeat(1000)}`);
    const context = { variables: { a: deep } };
    const text = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    for (const given of [context, text]) {
      const { structuredContent } = await place().call("execute_python_task", { instruction: "x", context: given });
      expect(structuredContent.error).toMatchObject({
        code: "input.invalid",
        message: expect.stringContaining("nested more than 200 levels deep"),
      });
    }
  });

  it("can cancel a call, which ends the run", async () => {
    const { client, dock } = place();
    const cancel = new AbortController();
    const code = "import time\nprint('going', flush=True)\ntime.sleep(60)";
    const call = client.callTool(
      { name: "execute_code", arguments: { code } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await dock.runs.list({ limit: 1 })).runs[0]?.status).toBe("cancelled");
  });

  it("sees output while the code runs", async () => {
    const seen: { progress: number; message?: string }[] = [];
    const code = "import time\nfor n in range(3):\n  print('line', n, flush=True)\n  time.sleep(0.2)";
    const onprogress = (one: { progress: number; message?: string }) => seen.push(one);
    await place().client.callTool({ name: "execute_code", arguments: { code } }, { onprogress });
    expect(seen.map(({ message }) => message).join("")).toContain("line 0\n");
    expect(seen.map(({ progress }) => progress)).toEqual(
      seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });
});

describe("the tools", () => {
  const place = useMcp("auto");
  const call = (name: string, args?: Record<string, unknown>) => place().call(name, args);
  const value = async (name: string, args?: Record<string, unknown>) => (await call(name, args)).structuredContent;

  it("are listed with schemas of both sides and words about them", async () => {
    const { tools: all } = await place().client.listTools();
    // Those of extensions come after Drydock's own.
    const tools = all.filter(({ name }) => !name.includes("__"));
    expect(all.slice(0, tools.length)).toEqual(tools);
    expect(tools.map(({ name }) => name)).toEqual([
      "execute_code",
      "run_command",
      "ask",
      "execute_python_task",
      "execute_python_workflow",
      "session_open",
      "session_exec",
      "session_rollback",
      "session_fork",
      "session_list",
      "session_close",
      "run_goal",
      "run_list",
      "run_diff",
      "run_apply",
      "run_replay",
    ]);
    for (const { description, inputSchema, outputSchema } of all) {
      expect(description?.length).toBeGreaterThan(40);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object", required: ["ok", "error"] });
    }
  });

  it("let a request narrow the owner's policy, and never widen it", async () => {
    const code = "import time; time.sleep(20)";
    const narrow = { limits: { wallSeconds: 0.5 } };
    expect((await value("execute_code", { code, policy: narrow })).error?.code).toBe("limit.timeout");
    expect((await value("execute_code", { code, policy: JSON.stringify(narrow) })).error?.code).toBe("limit.timeout");
    const wide = { network: { allow: ["example.org:443"] } };
    expect((await value("execute_code", { code: "1", policy: wide })).error?.code).toBe("policy.network_denied");
    expect((await value("execute_code", { code: "1", policy: "{no json" })).error?.code).toBe("input.invalid");
    expect((await value("execute_code", { code: "1", policy: { netwrk: {} } })).error?.code).toBe("input.invalid");
  });

  it("keep variables in a session, and return to an earlier step", async () => {
    const { sessionId } = await value("session_open");
    await value("session_exec", { sessionId, code: "x = 1" });
    expect(await value("session_exec", { sessionId, code: "x = 2\nx" })).toMatchObject({
      ok: true,
      step: 2,
      result: 2,
    });
    expect((await value("session_exec", { sessionId, code: "x = 3; 1/0" })).error?.code).toBe("code.exception");
    expect(await value("session_exec", { sessionId, code: "x" })).toMatchObject({ result: 2 });
    expect(await value("session_rollback", { sessionId, to: 1 })).toMatchObject({ ok: true, step: 1 });
    expect(await value("session_exec", { sessionId, code: "x" })).toMatchObject({ result: 1 });
    expect(await value("session_list")).toMatchObject({ sessions: [{ sessionId }] });
    const { sessions } = await value("session_fork", { sessionId, count: 2 });
    const [one, two] = sessions as { sessionId: string; forkedFrom: unknown }[];
    expect(one?.forkedFrom).toMatchObject({ sessionId });
    expect(await value("session_exec", { sessionId: one?.sessionId, code: "x += 1; x" })).toMatchObject({ result: 2 });
    expect(await value("session_exec", { sessionId: two?.sessionId, code: "x" })).toMatchObject({ result: 1 });
    for (const fork of [one, two]) await value("session_close", { sessionId: fork?.sessionId });
    expect(await value("session_close", { sessionId })).toMatchObject({ closed: true });
    expect((await value("session_exec", { sessionId, code: "x" })).error?.code).toBe("session.not_found");
  });

  it("work on an offered workspace, and change it only when told to", async () => {
    const { workspace } = place();
    await writeFile(join(workspace, "a.txt"), "old\n");
    const code = "open('a.txt', 'w').write('new\\n')";
    const { runId } = await value("execute_code", { code, workspace: "." });
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("old\n");
    expect((await value("run_diff", { runId })).diff).toContain("+new");
    expect(await value("run_diff", { runId: "last" })).toMatchObject({ runId, diff: expect.stringContaining("+new") });
    expect(await value("run_replay", { runId })).toMatchObject({ ok: true, same: true, replayOf: runId });
    expect(await value("run_apply", { runId })).toMatchObject({ ok: true, runId, outcome: "applied" });
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("new\n");
    expect(await value("run_command", { command: '["cat", "a.txt"]', workspace })).toMatchObject({ stdout: "new\n" });
    expect(
      (await value("run_command", { command: ["mount"], policy: { commands: { deny: ["mount"] } } })).error?.code,
    ).toBe("policy.command_denied");
    expect((await value("run_list")).runs).toContainEqual(expect.objectContaining({ id: runId }));
    expect((await value("run_list", { verdict: "unverified" })).runs).toContainEqual(
      expect.objectContaining({ id: runId }),
    );
    expect((await value("run_list", { verdict: "passed" })).runs).toEqual([]);
  });

  it("refuse directories that are not offered, by whatever way they are named", async () => {
    const { workspace, dock, home } = place();
    await mkdir(join(workspace, "sub"), { recursive: true });
    await symlink("/etc", join(workspace, "link"));
    for (const request of ["/etc", "..", "sub/../..", "link", `${workspace}-other`, "/", "missing"]) {
      expect((await value("execute_code", { code: "1", workspace: request })).error?.code, request).toBe(
        "policy.path_denied",
      );
    }
    expect(await value("execute_code", { code: "1", workspace: "sub" })).toMatchObject({ ok: true });
    const elsewhere = `${home}-elsewhere`;
    await mkdir(elsewhere);
    const { runId: run } = await dock.exec({ language: "python", code: "open('f','w')", workspace: elsewhere });
    for (const tool of ["run_diff", "run_apply", "run_replay"]) {
      expect((await value(tool, { runId: run })).error?.code).toBe("policy.path_denied");
    }
    await expect(place().client.readResource({ uri: `drydock://runs/${run}/events` })).rejects.toThrow("path_denied");
    await rm(elsewhere, { recursive: true });
  });

  it("come with resources for runs and what they made", async () => {
    const { resourceTemplates } = await place().client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "drydock://runs/{runId}/artifacts/{artifactId}{?start,end}",
      "drydock://runs/{runId}/artifacts/{artifactId}",
      "drydock://runs/{runId}",
      "drydock://runs/{runId}/events",
      "drydock://runs/{runId}/records",
      "drydock://runs/{runId}/records/{+path}",
      "drydock://runs/{runId}/diff",
      "drydock://runs/{runId}/receipt",
    ]);
    const { runId } = await value("execute_code", { code: "1" });
    const { contents } = await place().client.readResource({ uri: `drydock://runs/${runId}/events` });
    expect(JSON.parse((contents[0] as { text: string }).text)[0]).toMatchObject({ type: "run.created" });
    await expect(place().client.readResource({ uri: "drydock://runs/run_none" })).rejects.toThrow("not found");
    const ref = { type: "ref/resource" as const, uri: "drydock://runs/{runId}" };
    const { completion } = await place().client.complete({ ref, argument: { name: "runId", value: "run_" } });
    expect(completion.values).toContain(runId);
  });
});
