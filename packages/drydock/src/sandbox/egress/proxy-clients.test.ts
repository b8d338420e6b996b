import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certificate, environment, fixture, PYTHON, ports, run, scratch, useBridge } from "./testing/bridge.ts";
import { until } from "./testing/proxy-fixture.ts";

useBridge(process.env.PATH ?? "");

describe("clients that take their proxy from the environment", () => {
  it("curl, over http", async () => {
    const { stdout } = await run("curl", ["-sS", `http://127.0.0.1:${ports.http}/hello`], { env: environment });
    expect(stdout).toBe("hello from outside");
    await until(() => fixture.connected.some(({ port }) => port === ports.http));
  });

  it("curl, over https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const url = `https://127.0.0.1:${ports.https}/hello`;
    const { stdout } = await run("curl", ["-sS", "--cacert", certificate, url], { env: environment });
    expect(stdout).toBe("hello from outside");
    await until(() => fixture.connected.some(({ port }) => port === ports.https));
  });

  it("curl, told what was refused and how to allow it", async () => {
    const { stdout } = await run("curl", ["-sS", "-i", "http://evil.example:8080/"], { env: environment });
    expect(stdout).toMatch(/^HTTP\/1\.1 403 /);
    expect(stdout).toContain("drydock policy allow network evil.example:8080");
    const https = run("curl", ["-sS", "https://evil.example/"], { env: environment });
    await expect(https).rejects.toMatchObject({ stderr: expect.stringContaining("403") });
    expect(fixture.refused.map(({ host, port }) => `${host}:${port}`)).toEqual([
      "evil.example:8080",
      "evil.example:443",
    ]);
  });

  it("git clone, over http", async () => {
    const work = join(scratch, "work");
    await mkdir(work);
    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: work });
    await git("init", "-q");
    await writeFile(join(work, "file.txt"), "content\n");
    await git("add", ".");
    await git("commit", "-q", "-m", "first");
    await git("clone", "-q", "--bare", work, join(scratch, "repo.git"));
    await git("-C", join(scratch, "repo.git"), "update-server-info");
    const clone = join(scratch, "clone");
    await run("git", ["clone", "-q", `http://127.0.0.1:${ports.http}/repo.git`, clone], { env: environment });
    expect(await readFile(join(clone, "file.txt"), "utf8")).toBe("content\n");
  });

  it("Python's urllib, over http and https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const code = `import ssl, sys, urllib.request as u
print(u.urlopen(sys.argv[1]).read().decode())
print(u.urlopen(sys.argv[2], context=ssl.create_default_context(cafile=sys.argv[3])).read().decode())`;
    const urls = [`http://127.0.0.1:${ports.http}/hello`, `https://127.0.0.1:${ports.https}/hello`];
    const { stdout } = await run(PYTHON, ["-c", code, ...urls, certificate], { env: environment });
    expect(stdout).toBe("hello from outside\nhello from outside\n");
  });

  it("Node's fetch, over http and https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const code = `for (const url of process.argv.slice(1)) console.log(await (await fetch(url)).text())`;
    const urls = [`http://127.0.0.1:${ports.http}/hello`, `https://127.0.0.1:${ports.https}/hello`];
    const before = fixture.connected.length;
    const env = { ...environment, NODE_EXTRA_CA_CERTS: certificate };
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code, ...urls], { env });
    expect(stdout).toBe("hello from outside\nhello from outside\n");
    await until(() => fixture.connected.length >= before + 2);
  });
});
