import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { OPERATIONS, type Operation } from "@drydock/protocol/http";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadHttpTokens } from "../../app/index.ts";
import { openTestServer } from "./testing/open-test-server.ts";

const { createHttpToken, httpTokensPath, listHttpTokens, revokeHttpToken } = await loadHttpTokens();
const place = openTestServer({});
const home = () => place.server.dock.home;
const as = (token: string) => ({ authorization: `Bearer ${token}` });

describe("tokens with a scope", () => {
  it("open what their scope holds, and nothing above it", async () => {
    const ask = async (token: string) => {
      const answers = [
        await place.call("GET", "/runs", undefined, as(token)),
        await place.call("POST", "/execute", { code: "1" }, as(token)),
        await place.call("POST", "/mcp", {}, as(token)),
        await place.call("GET", "/secrets", undefined, as(token)),
        await place.call("POST", "/secrets", { name: "A", value: "some secret value" }, as(token)),
        await place.call("POST", "/extensions/none/disable", {}, as(token)),
      ];
      return answers.map(({ status }) => (status === 403 || status === 401 ? status : "open"));
    };
    const make = async (scope: "read" | "run" | "admin") => (await createHttpToken(home(), { scope, name: "" })).token;
    expect(await ask(await make("read"))).toEqual(["open", 403, 403, 403, 403, 403]);
    expect(await ask(await make("run"))).toEqual(["open", "open", "open", 403, 403, 403]);
    expect(await ask(await make("admin"))).toEqual(["open", "open", "open", "open", "open", "open"]);
    expect(await ask("ddt_wrong")).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it("are refused with what is missing, and not with the code of a policy", async () => {
    const { token } = await createHttpToken(home(), { scope: "read", name: "" });
    const { status, value } = await place.call("POST", "/execute", { code: "1" }, as(token));
    const message = "This token has the scope read; the request needs run.";
    const hint = "The server's owner makes one: `drydock token create --scope run`.";
    expect([status, value]).toMatchObject([403, { error: { code: "input.invalid", message, hint } }]);
    const stranger = await place.call("GET", "/runs", undefined, as("ddt_wrong"));
    expect([stranger.status, JSON.stringify(stranger.value)]).toEqual([
      401,
      expect.not.stringContaining("DRYDOCK_HOME"),
    ]);
  });

  it("are 1,000 at most, and one more or one with a long name leaves the others as they are", async () => {
    const kept = readFileSync(httpTokensPath(home()), "utf8");
    onTestFinished(() => writeFileSync(httpTokensPath(home()), kept));
    const { tokens } = JSON.parse(kept);
    const full = JSON.stringify({ version: 1, tokens: Array.from({ length: 1000 }, () => tokens[0]) });
    writeFileSync(httpTokensPath(home()), full);
    await expect(createHttpToken(home(), { scope: "read", name: "" })).rejects.toMatchObject({
      code: "input.invalid",
      message: "A home can have at most 1000 tokens.",
    });
    expect(readFileSync(httpTokensPath(home()), "utf8")).toBe(full);
    writeFileSync(httpTokensPath(home()), kept);
    await expect(createHttpToken(home(), { scope: "read", name: "x".repeat(101) })).rejects.toMatchObject({
      code: "input.invalid",
    });
    expect(readFileSync(httpTokensPath(home()), "utf8")).toBe(kept);
  });

  it("that can't be read are warned about once, not with each request", async () => {
    const kept = readFileSync(httpTokensPath(home()), "utf8");
    onTestFinished(() => writeFileSync(httpTokensPath(home()), kept));
    const warnings: string[] = [];
    const hear = ({ message }: Error) => warnings.push(message);
    process.on("warning", hear);
    onTestFinished(() => void process.off("warning", hear));
    writeFileSync(httpTokensPath(home()), "{");
    for (let i = 0; i < 3; i++) expect((await place.call("GET", "/runs", undefined, as("ddt_wrong"))).status).toBe(401);
    expect(warnings.filter((message) => message.includes("can't be used"))).toHaveLength(1);
  });

  it.each([
    ["others can change it", "chmod 600", (file: string) => chmodSync(file, 0o666)],
    ["it is not a list of tokens", "Restore it from a backup", (file: string) => writeFileSync(file, "{")],
    ["it is larger than 1 MB", "Restore it from a backup", (file: string) => writeFileSync(file, " ".repeat(2 ** 21))],
    [
      "it is a symbolic link",
      "Restore it from a backup",
      (file: string) => {
        rmSync(file);
        symlinkSync("/dev/null", file);
      },
    ],
  ])("can't be used because %s: the hint fits that reason", (reason, hint, spoil) => {
    const file = httpTokensPath(home());
    const kept = readFileSync(file, "utf8");
    onTestFinished(() => {
      rmSync(file);
      writeFileSync(file, kept, { mode: 0o600 });
    });
    spoil(file);
    const message = `The tokens in ${file} can't be used: ${reason}.`;
    const error = { code: "input.invalid", message, hint: expect.stringContaining(hint) };
    expect(() => listHttpTokens(home())).toThrow(expect.objectContaining(error));
  });

  it("open nothing once they are revoked, without a new start", async () => {
    const { id, token } = await createHttpToken(home(), { scope: "read", name: "soon gone" });
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(200);
    await revokeHttpToken(home(), id);
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(401);
    expect(listHttpTokens(home()).map((each) => each.id)).not.toContain(id);
    await expect(revokeHttpToken(home(), id)).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("end their open streams when they are revoked, and with them what these were answering", async () => {
    const { id, token } = await createHttpToken(home(), { scope: "run", name: "streams" });
    const headers = { ...as(token), accept: "text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ code: "print('begun', flush=True)\nimport time; time.sleep(60)" });
    const call = (await place.fetch("/execute", { method: "POST", body, headers })).body?.getReader();
    const first = Buffer.from((await call?.read())?.value ?? "").toString();
    expect(first).toContain("event:");
    const run = async () => (await place.server.dock.runs.list({ limit: 1 })).runs[0];
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe("running");
    const events = await place.fetch(`/runs/${(await run())?.id}/events`, { headers });
    await revokeHttpToken(home(), id);
    expect(await events.text()).toContain("run.created");
    for (let part = await call?.read(); part && !part.done; part = await call?.read());
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe("cancelled");
  });

  it("have names of their own, by which they are revoked as well as by id", async () => {
    const make = (name: string) => createHttpToken(home(), { scope: "read", name });
    const { id, token } = await make("dashboard");
    const refused = { code: "input.invalid", hint: expect.stringContaining(id) };
    await expect(make("dashboard")).rejects.toMatchObject(refused);
    await expect(make("tok_0123456789ab")).rejects.toMatchObject({ code: "input.invalid" });
    expect(await revokeHttpToken(home(), "dashboard")).toMatchObject({ id, name: "dashboard", scope: "read" });
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(401);
    const again = await make("dashboard");
    expect(again.id).not.toBe(id);
    await revokeHttpToken(home(), again.id);
    await make("");
    await expect(revokeHttpToken(home(), "")).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("of one name, in a home of an earlier version, are told apart by id", async () => {
    const made = await Promise.all(["one", "two"].map((name) => createHttpToken(home(), { scope: "read", name })));
    const file = httpTokensPath(home());
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"two"', '"one"'));
    const ids = made.map(({ id }) => id);
    const error: unknown = await revokeHttpToken(home(), "one").catch((caught: unknown) => caught);
    expect(new Set((error as { data: { ids: string[] } }).data.ids)).toEqual(new Set(ids));
    for (const id of ids) await revokeHttpToken(home(), id);
  });

  it("are kept as hashes, in a file that others can neither read nor write", async () => {
    const made = await Promise.all(
      ["a", "b", "c", "d"].map((name) => createHttpToken(home(), { scope: "read", name })),
    );
    const text = readFileSync(httpTokensPath(home()), "utf8");
    for (const { token, id } of made) expect([text.includes(token), text.includes(id)]).toEqual([false, true]);
    expect(statSync(httpTokensPath(home())).mode & 0o777).toBe(0o600);
  });

  it("are not believed where others could have written them, or where the file is broken", async () => {
    const { token } = await createHttpToken(home(), { scope: "admin", name: "" });
    const text = readFileSync(httpTokensPath(home()), "utf8");
    chmodSync(httpTokensPath(home()), 0o666);
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(401);
    chmodSync(httpTokensPath(home()), 0o600);
    writeFileSync(httpTokensPath(home()), "{");
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(401);
    expect((await place.call("GET", "/runs")).status).toBe(200);
    writeFileSync(httpTokensPath(home()), text);
    expect((await place.call("GET", "/runs", undefined, as(token))).status).toBe(200);
  });

  it("have a scope for each operation; what changes something is never for readers", () => {
    const all: Operation[] = Object.values(OPERATIONS);
    const admin = all.filter((operation) => operation.scope === "admin").map(({ method, path }) => `${method} ${path}`);
    expect(admin.sort()).toEqual([
      "delete /extensions/{id}",
      "delete /host/agents/{name}",
      "delete /host/agents/{name}/harness",
      "delete /host/bindings/{id}",
      "delete /host/conversations/{id}",
      "delete /host/plugins/{author}/{name}",
      "delete /host/sources/{name}",
      "delete /knowledge/{name}",
      "delete /secrets/{name}",
      "delete /skills/{name}",
      "delete /tokens/{id}",
      "get /policies/home",
      "get /secrets",
      "get /tokens",
      "patch /host/agents/{name}",
      "patch /host/bindings/{id}",
      "patch /host/sources/{name}",
      "post /api/profile/approve",
      "post /api/profile/reject",
      "post /approvals/{id}/approve",
      "post /approvals/{id}/deny",
      "post /extensions",
      "post /extensions/{id}/disable",
      "post /extensions/{id}/enable",
      "post /extensions/{id}/update",
      "post /host/agents",
      "post /host/agents/{name}/harness",
      "post /host/bindings",
      "post /host/files",
      "post /host/plugins",
      "post /host/runs",
      "post /host/sources",
      "post /host/sources/{name}/test",
      "post /knowledge/{name}/documents",
      "post /policies/home",
      "post /policies/home/check",
      "post /prune",
      "post /secrets",
      "post /skills",
      "post /tokens",
      "post /upstreams/{name}/test",
    ]);
    expect(all.filter((operation) => operation.method !== "get" && operation.scope === "read")).toEqual([]);
    expect(all.filter(({ scope }) => scope === null).map(({ path }) => path)).toEqual([
      "/health",
      "/ready",
      "/api/sign-in",
      "/api/sign-in",
      "/api/sign-in",
    ]);
  });
});
