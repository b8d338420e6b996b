/** A module that candidates call: each function does harm, and `findNothing` looks for traces of all of them. */
export const NODE_HARM = `import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";

const PLACES = ["/work", "/tmp", "/var/tmp", "/dev/shm", os.homedir()];
const numbers = () => fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map(Number);
const own = () => Number(fs.readlinkSync("/proc/self"));
const attempt = (act) => {
  try {
    return act();
  } catch {
    return undefined;
  }
};

function spread() {
  for (const place of PLACES) attempt(() => fs.writeFileSync(place + "/trace", "harm"));
}

export function leaveProcesses() {
  const loop = "while :; do for p in " + PLACES.join(" ") + "; do echo harm > $p/trace; done; done";
  for (let at = 0; at < 3; at++) spawn("setsid", ["sh", "-c", loop], { detached: true, stdio: "ignore" }).unref();
  return 0;
}

export function writeEverywhere() {
  spread();
  fs.writeFileSync("/work/calc.test.js", "process.exit(1);");
  fs.writeFileSync("/work/package.json", "{");
  return 0;
}

export function deleteEverything() {
  for (const place of PLACES) {
    for (const name of fs.readdirSync(place)) attempt(() => fs.rmSync(place + "/" + name, { recursive: true, force: true }));
  }
  return 0;
}

export function patchTheRealm() {
  for (const name of Object.keys(assert)) attempt(() => { assert[name] = () => { throw new Error("never"); }; });
  Array.prototype.map = Array.prototype.filter = Promise.prototype.then = () => [];
  globalThis.trace = Object.keys = JSON.stringify = () => "trace";
  fs.writeSync = fs.readSync = fs.readFileSync = process.kill = process.exit = () => 0;
  process.env.TRACE = "1";
  process.chdir("/");
  process.on("exit", () => {});
  return 0;
}

export function killAll() {
  process.kill(-1, "SIGKILL");
  return 0;
}

export function stopAll() {
  for (const number of numbers()) if (number !== own()) attempt(() => process.kill(number, "SIGSTOP"));
  attempt(() => process.kill(process.ppid, "SIGSTOP"));
  return 0;
}

export function answerForOthers() {
  for (let handle = 3; handle < 60; handle++) attempt(() => fs.writeSync(handle, "[0,1,0]\\n-0\\n9\\n"));
  for (const number of numbers()) {
    for (const handle of attempt(() => fs.readdirSync("/proc/" + number + "/fd")) ?? []) {
      const path = "/proc/" + number + "/fd/" + handle;
      attempt(() => fs.writeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK), '\\n{"candidate":1,"fixed":0,"failing":9,"late":false}\\n'));
    }
  }
  return 0;
}

export async function openSockets() {
  for (const where of [18182, "\\0trace"]) {
    await new Promise((resolve) => net.createServer(() => {}).listen(where, resolve).on("error", resolve));
  }
  return 0;
}

export function endEarly() {
  process.exit(0);
}

export function abort() {
  process.abort();
}

export function goRound() {
  for (;;);
}

export function sleepOn() {
  return new Promise((resolve) => setTimeout(resolve, 1 << 30));
}

export function fillTheMemory() {
  const kept = [];
  for (;;) kept.push(new Array(1 << 20).fill(1.5));
}

export function forkWithoutEnd() {
  for (let at = 0; at < 10_000; at++) attempt(() => spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).on("error", () => {}));
  return 0;
}

const connect = (where) =>
  new Promise((resolve) => net.connect(where).on("connect", () => resolve(true)).on("error", () => resolve(false)));

/** 3 where nothing is left of any other candidate. */
export async function findNothing() {
  for (const place of PLACES) if (fs.existsSync(place + "/trace")) return "a file in " + place;
  if (!fs.readFileSync("/work/calc.test.js", "utf8").includes("act()")) return "other tests";
  if (process.env.TRACE !== undefined || globalThis.trace !== undefined) return "a variable";
  if (process.cwd() !== "/work" || [1].map((n) => n + 1)[0] !== 2) return "another realm";
  if (process.pid !== own()) return "another number";
  const others = numbers().filter((number) => number !== 1 && number !== own());
  if (others.length > 0) return "processes: " + others;
  if ((await connect(18182)) || (await connect("\\0trace"))) return "a socket";
  if (spawnSync("echo", ["yes"], { encoding: "utf8" }).stdout !== "yes\\n") return "no program runs";
  // What Node does in threads of its own works as well.
  if ((await fs.promises.readFile("/work/package.json", "utf8")) === "") return "no file";
  return 3;
}
`;
