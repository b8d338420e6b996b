import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();
const secret = () => JSON.stringify(join(it.host, "canary.txt"));

describe("attacks from Node", () => {
  const attack = (code: string) => it.attack(code, { language: "node", limits: { wallSeconds: 5 } });

  test("process.binding, internal modules, workers, child processes and module hooks reach no host file", async () => {
    const result = await attack(`
const fs = require("fs"), path = ${secret()};
const tries = {
  plain: () => fs.readFileSync(path, "utf8"),
  root: () => fs.readFileSync("/proc/1/root" + path, "utf8"),
  binding: () => process.binding("fs").open(path, 0, 0o666),
  child: () => require("child_process").execFileSync("cat", [path], { stdio: "pipe" }).toString(),
  shell: () => require("child_process").execSync("cat " + path, { stdio: "pipe" }).toString(),
  require: () => require(path),
  vm: () => require("vm").runInNewContext("this.constructor.constructor('return process')()").mainModule.require("fs").readFileSync(path, "utf8"),
  dlopen: () => process.dlopen({ exports: {} }, path),
  chdir: () => { process.chdir("/proc/1/cwd"); return fs.readdirSync("."); },
  parent: () => { process.kill(process.ppid, "SIGKILL"); },
  setuid: () => { process.setuid(0); return "root"; },
};
const won = [];
for (const [name, act] of Object.entries(tries)) { try { const value = act(); if (value !== undefined) won.push([name, String(value)]); } catch {} }
await new Promise((resolve) => {
  const { Worker } = require("worker_threads");
  const worker = new Worker("require('worker_threads').parentPort.postMessage((() => { try { return require('fs').readFileSync(" + JSON.stringify(path) + ", 'utf8') } catch { return null } })())", { eval: true });
  worker.on("message", (text) => { if (text) won.push(["worker", text]); resolve(); });
  worker.on("error", resolve);
});
result = won;
`);
    expect(saidBy(result)).not.toContain(it.canary);
    expect(result.result ?? []).toEqual([]);
  });

  test("prototypes that the code pollutes stay inside", async () => {
    const result = await attack(`
Object.prototype.polluted = "yes"; Array.prototype.toJSON = () => "polluted"; JSON.stringify = () => '{"outcome":"ok","result":"\\\\"x\\\\"","__proto__":{"polluted":1}}';
Buffer.from = () => { throw new Error("no") };
result = { a: 1 };
`);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    expect(result).not.toHaveProperty("polluted");
    expect(await attack("result = [1, { a: 2 }]")).toMatchObject({ ok: true, result: [1, { a: 2 }] });
  });

  test("an inspector, opened from inside, is not to be reached from the host", async () => {
    const result = await attack(`
const inspector = require("inspector");
try { inspector.open(9229, "0.0.0.0"); } catch {}
process.kill(process.pid, "SIGUSR1");
console.log(inspector.url());
`);
    const answer = await fetch("http://127.0.0.1:9229/json").catch(() => null);
    expect(answer).toBe(null);
    expect(result.sandbox.level).not.toBe("none");
  });
});

describe("attacks from bash", () => {
  const attack = (code: string) => it.attack(code, { language: "bash", limits: { wallSeconds: 5 } });

  test("here-documents, process substitution, job control, restricted paths and exec tricks reach no host file", async () => {
    const result = await attack(`
p=${join(it.host, "canary.txt")}
cat "$p"; cat < "$p"; mapfile -t x < "$p"; echo "\${x[@]}"; source "$p"; . /proc/1/root"$p"; read -r line < /proc/self/root"$p"; echo "$line"
cat <(cat "$p"); cat <<END
$(cat "$p") $(< "$p")
END
set -m; (cat "$p") & fg %1; exec 9<"$p"; cat <&9; enable -f "$p" x; BASH_ENV="$p" bash -c true; dd if="$p"; tar cf - "$p"; find / -name canary.txt 2>/dev/null
cd /proc/1/cwd && ls; cd /proc/1/root && ls -d ./tmp/drydock-attacks-*
true
`);
    expect(saidBy(result)).not.toContain(it.canary);
    expect(result.stdout).not.toMatch(/drydock-attacks-\w+$/m);
  });

  test("writing to what the system has, from the shell", async () => {
    const result = await attack(`
for f in /etc/passwd /usr/bin/evil /drydock/bin/python /evil /proc/sys/kernel/core_pattern /dev/null/x /sys/x /run/x /home/x /root/x /var/x /lib/x; do
  ( echo evil > $f ) 2>/dev/null && echo "wrote $f"
done
ln -s /etc/passwd /usr/bin/x 2>/dev/null && echo linked; mv /usr/bin/id /tmp/ 2>/dev/null && echo moved; rm -rf /usr/bin /drydock 2>/dev/null; ls /usr/bin/id
`);
    expect(result.stdout).toBe("/usr/bin/id\n");
  });

  test("commands by name are held to the policy's list", async () => {
    for (const command of [
      ["curl", "http://127.0.0.1"],
      ["sh", "-c", "id"],
      ["git", "push"],
      ["/bin/sh"],
      ["npm", "install"],
    ]) {
      const allow = ["ls", "npm test", "git diff *"];
      const result = await it.dock.exec({ command, policy: { commands: { allow } } });
      expect(result).toMatchObject({ ok: false, stdout: "", error: { code: "policy.command_denied" } });
    }
  });
});
