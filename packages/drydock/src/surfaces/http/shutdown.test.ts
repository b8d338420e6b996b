import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createDock } from "../../app/index.ts";
import { spawnCli } from "../cli/testing/run-cli.ts";
import { type DrydockServer, serve } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-shutdown-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ask = ({ url, token }: DrydockServer, path: string, body?: unknown) =>
  fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

describe("closing a server", () => {
  it("finishes what is under way, hands a goal back to be resumed, and ends what does not end", async () => {
    const home = mkdtempSync(join(directory, "home-"));
    const workspace = mkdtempSync(join(directory, "work-"));
    const script = join(directory, "script.json");
    const slow = {
      when: { step: "work" },
      toolCalls: [{ name: "run", arguments: { cmd: "python3 -c 'import time; time.sleep(0.3)'" } }],
    };
    writeFileSync(script, JSON.stringify({ answers: [{ ...slow, repeat: "always" }] }));
    const dock = await createDock({ home, warm: 1 });
    const server = await serve([], { port: 0, dock, shutdownMs: 5000, model: `scripted:${script}` });
    const checks = [{ type: "file_exists", path: "never.txt" }];
    const plan = { goal: "Wait", tasks: [{ id: "wait", instructions: "Wait", checks, attempts: 1 }] };
    const goal = (await (await ask(server, "/runs", { kind: "goal", plan, workspace })).json()) as { id: string };
    const endless = { kind: "exec", code: "import time; time.sleep(60)" };
    const exec = (await (await ask(server, "/runs", endless)).json()) as { id: string };
    const quick = ask(server, "/execute", { code: "import time; time.sleep(0.5); print('finished')" });
    await expect.poll(async () => (await dock.runs.list({ status: "running" })).runs.length).toBe(3);
    const closing = server.close();
    const isRefused = () =>
      ask(server, "/health").then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    expect(await (await quick).json()).toMatchObject({ ok: true, stdout: "finished\n" });
    await closing;
    expect((await dock.runs.get(exec.id)).status).toBe("cancelled");
    expect((await dock.runs.get(goal.id)).status).toBe("paused");
    await dock.close();
  });
});

describe("a server that is started anew", () => {
  it("does not do again what was asked under a key before, and names its run", async () => {
    const home = mkdtempSync(join(directory, "home-"));
    const dock = await createDock({ home, warm: 0 });
    const first = await serve([], { port: 0, dock });
    const once = ({ url, token }: DrydockServer, code: string) =>
      fetch(`${url}/execute`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "k" },
        body: JSON.stringify({ code }),
      });
    const { runId } = (await (await once(first, "1")).json()) as { runId: string };
    await first.close();
    const second = await serve([], { port: 0, dock });
    const again = await once(second, "1");
    expect([again.status, await again.json()]).toMatchObject([409, { error: { runId } }]);
    expect((await once(second, "2")).status).toBe(409);
    expect((await dock.runs.list()).runs).toHaveLength(1);
    await second.close();
    await dock.close();
  });
});

describe("drydock serve", () => {
  it("keeps its token to itself, says where it listens, and ends in order", async () => {
    const home = mkdtempSync(join(directory, "home-"));
    const first = spawnCli(home, ["serve", "--port", "0"]);
    await first.printed("docs");
    const [, url = ""] = /listens on (\S+)/.exec(first.stdout()) ?? [];
    const [, token = ""] = /token +(\S+)/.exec(first.stdout()) ?? [];
    expect(statSync(join(home, "http-token")).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/runs`, { headers })).status).toBe(200);
    const port = new URL(url).port;
    const second = await spawnCli(home, ["serve", "--port", port, "--json"]).finished;
    expect([second.status, JSON.parse(second.stdout)]).toMatchObject([2, { error: { code: "input.invalid" } }]);
    expect(second.stdout).toContain("in use");
    first.process.kill("SIGTERM");
    expect((await first.finished).status).toBe(0);
    const third = spawnCli(home, ["serve", "--port", "0", "--json"]);
    await third.printed("\n");
    expect(JSON.parse(third.stdout())).toMatchObject({ auth: "token", tokenFile: join(home, "http-token") });
    expect(third.stdout()).not.toContain(token);
    third.process.kill("SIGTERM");
    await third.finished;
  }, 30_000);

  it("lets nobody in without a token from elsewhere, and says what is wrong with a file of agents", async () => {
    const home = mkdtempSync(join(directory, "home-"));
    const file = join(directory, "broken.ts");
    writeFileSync(file, "throw new Error('on purpose');\n");
    const [open, broken] = await Promise.all([
      spawnCli(home, ["serve", "--no-auth", "--host", "0.0.0.0"]).finished,
      spawnCli(home, ["serve", file, "--json"]).finished,
    ]);
    expect([open.status, open.stderr]).toEqual([2, expect.stringContaining("--no-auth")]);
    expect([broken.status, broken.stdout]).toEqual([2, expect.stringContaining("on purpose")]);
  }, 30_000);
});
