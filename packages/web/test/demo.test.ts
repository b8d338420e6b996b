import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../../..");
const FLAGS = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"];

it("npm start prints an address that signs in, fills a home of its own with runs, and leaves nothing behind", async () => {
  const child = spawn(process.execPath, [...FLAGS, join(root, "demo/start.ts"), "--any-port"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  let directory = "";
  let address = "";
  for await (const line of createInterface(child.stdout)) {
    directory ||= / on a demo home in (.+):$/.exec(line)?.[1] ?? "";
    address ||= /^ {2}(http\S+)$/.exec(line)?.[1] ?? "";
    if (line.startsWith("The first page")) break;
  }
  const { origin, hash } = new URL(address);
  const headers = { "content-type": "application/json", origin };
  const body = JSON.stringify({ code: hash.slice("#code=".length) });
  const signedIn = await fetch(`${origin}/api/sign-in`, { method: "POST", headers, body });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const list = async () => {
    const answer = await fetch(`${origin}/runs`, { headers: { cookie } });
    return ((await answer.json()) as { runs: { title: string }[] }).runs.map(({ title }) => title);
  };
  await expect.poll(list).toContainEqual(expect.stringContaining("import csv"));
  expect(existsSync(directory)).toBe(true);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(directory)).toBe(false);
});
