import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { openExtensionDock } from "../testing/extension-dock.ts";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

const seen: Seen[] = [];
const server: Server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    const { url = "" } = request;
    if (url === "/missing")
      return response.writeHead(404, { "content-type": "application/json" }).end('{"error":"gone"}');
    if (url === "/away") return response.writeHead(302, { location: "http://elsewhere.example/" }).end();
    if (url === "/moved") return response.writeHead(302, { location: "/items" }).end();
    if (url === "/file") return response.writeHead(302, { location: "file:///etc/passwd" }).end();
    if (url === "/slow") return void setTimeout(() => response.end("late"), 20_000).unref();
    if (url === "/binary") return response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 255]));
    response.setHeader("content-type", "application/json").end('{"items":[{"name":"lamp"},{"name":"desk"}]}');
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close(), 1000);

const made = openExtensionDock({
  extensions: [],
  policy: `version: 1\nnetwork: { allow: ["${new URL(origin).host}"] }\n`,
});
const last = () => seen.at(-1);

describe("/curl", () => {
  it("fetches, sends and deletes, with headers and data as they are given", async () => {
    expect(await made.output(`/curl get ${origin}/items -H "X-A: b c" --header 'X-D: "e"'`)).toContain("lamp");
    expect(last()).toMatchObject({ method: "GET", headers: { "x-a": "b c", "x-d": '"e"' } });
    await made.output(`/curl post ${origin}/items --data '@/etc/passwd'`);
    expect(last()).toMatchObject({
      method: "POST",
      body: "@/etc/passwd",
      headers: { "content-type": "application/json" },
    });
    await made.output(`/http patch ${origin}/items --data "--x y" --type text/plain`);
    expect(last()).toMatchObject({ method: "PATCH", body: "--x y", headers: { "content-type": "text/plain" } });
    await made.output(`/curl put ${origin}/items`);
    expect(last()).toMatchObject({ method: "PUT", body: "" });
    expect(await made.output(`/curl head ${origin}/items`)).toContain("content-type: application/json");
    expect(last()).toMatchObject({ method: "HEAD" });
    expect(await made.output(`/curl get ${origin}/moved --include`)).toMatch(/302 Found[\s\S]*lamp/);
  });

  it("tells the status, and fails by it where that is wanted", async () => {
    const outcome = await made.call(`/curl get ${origin}/missing`);
    expect(outcome).toMatchObject({ type: "capability_result", json: { error: "gone" } });
    expect(outcome).toMatchObject({ metadata: { stderr: expect.stringContaining("HTTP 404, 16 bytes") } });
    expect(await made.output("/jq analyze")).toContain("HTTP status 404 (the request was refused)");
    expect(await made.error(`/curl get ${origin}/missing --fail`)).toMatchObject({ code: "code.exit", exitCode: 22 });
  });

  it("gives what others work on: pipelines, templates, pictures as artifacts", async () => {
    expect(await made.output(`/curl get ${origin}/items | /jq '.items[].name' --raw`)).toBe("lamp\ndesk\n");
    const session = "of-templates";
    await made.output(`/curl get ${origin}/items`, { session });
    await made.output(`/curl post ${origin}/items --data '{{ last.json.items[1] }}'`, { session });
    expect(last()).toMatchObject({ body: '{"name":"desk"}' });
    const picture = await made.call(`/curl get ${origin}/binary`);
    expect(picture).toMatchObject({ artifacts: [{ mime: "image/png", size: 7 }] });
  });

  it("asks a person before it deletes, and sends nothing where there is none", async () => {
    const before = seen.length;
    expect(await made.error(`/curl delete ${origin}/items/1`)).toMatchObject({ code: "policy.approval_denied" });
    expect(seen.length).toBe(before);
    await made.output(`/curl delete ${origin}/items/1`, { approval: async () => ({ approved: true, by: "ann" }) });
    expect(last()).toMatchObject({ method: "DELETE" });
  });

  it("reaches no other host: not by address, not by a redirect, not by a header", async () => {
    expect(await made.error("/curl get http://elsewhere.example/")).toMatchObject({
      code: "policy.network_denied",
      hint: expect.stringContaining("drydock policy allow network elsewhere.example:80"),
    });
    const away = await made.call(`/curl get ${origin}/away`);
    expect(JSON.stringify(away)).toContain("elsewhere.example:80");
    expect(away).not.toMatchObject({ output: expect.stringContaining("<html") });
    expect(await made.error(`/curl get ${origin}/file`)).toMatchObject({ code: "code.exit" });
    expect(await made.error(`/curl get file:///etc/passwd`)).toMatchObject({ code: "input.invalid" });
  });

  it.each([
    ["a file instead of a header", `-H @/etc/passwd`],
    ["a header of two lines", `-H "A: b\nX-Evil: 1"`],
    ["an option as a header", `--header=--output=/tmp/x`],
    ["an option of curl's", `--output /tmp/x`],
    ["another address", `http://elsewhere.example/`],
    ["a shell's words", `; rm -rf x`],
  ])("does not take %s", async (_name, words) => {
    const before = seen.length;
    await made.error(`/curl get ${origin}/items ${words}`);
    expect(seen.slice(before)).toEqual([]);
  });

  it("gives up after its time", async () => {
    expect(await made.error(`/curl get ${origin}/slow --timeout 0.3`)).toMatchObject({
      code: "code.exit",
      exitCode: 28,
    });
  });
});
