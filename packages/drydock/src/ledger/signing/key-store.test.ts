import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { isSignedBy, signEnvelope } from "./dsse.ts";
import { readPublicKeys } from "./key-files.ts";
import { createKeyStore } from "./key-store.ts";

const CHILD = fileURLToPath(new URL("../testing/key-child.ts", import.meta.url));

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), "drydock-keys-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const keyFile = (home: string) => join(home, "keys", "signing.key");

describe("the key of a home", () => {
  it("is made with the first use, is its owner's alone, and stays the same", async () => {
    const home = makeHome();
    const store = createKeyStore(home);
    expect(await store.list()).toEqual([]);
    const { id } = (await store.current()).info;
    expect((await createKeyStore(home).current()).info.id).toBe(id);
    expect(statSync(keyFile(home)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "keys")).mode & 0o777).toBe(0o700);
    expect(await store.list()).toMatchObject([{ id, short: id.slice(0, 16), current: true }]);
    expect(readFileSync(join(home, "keys", `${id}.pub`), "utf8")).toContain("BEGIN PUBLIC KEY");
  });

  it("is one, although several processes make it at once", async () => {
    const home = makeHome();
    const children = Array.from({ length: 6 }, () => spawn(process.execPath, [CHILD, home]));
    await Promise.all(children.map((child) => once(child.stdout, "data")));
    const printed = children.map((child) => {
      let text = "";
      child.stdout.on("data", (bytes: Buffer) => {
        text += bytes.toString();
      });
      return once(child, "close").then(() => text.trim());
    });
    for (const child of children) child.stdin.write("go\n");
    const ids = new Set(await Promise.all(printed));
    expect(ids.size).toBe(1);
    expect([...ids][0]).toMatch(/^[0-9a-f]{64}$/);
    expect(readPublicKeys(home).map(({ id }) => id)).toEqual([...ids]);
  });

  it("is replaced by a rotation, after which old signatures still verify", async () => {
    const home = makeHome();
    const store = createKeyStore(home);
    const old = await store.current();
    const envelope = signEnvelope(old, "text/x-test", { a: 1 });
    const made = await store.rotate();
    expect(made.id).not.toBe(old.info.id);
    expect((await store.current()).info.id).toBe(made.id);
    expect((await store.list()).map(({ id, current }) => [id, current]).sort()).toEqual(
      [
        [old.info.id, false],
        [made.id, true],
      ].sort(),
    );
    const kept = readPublicKeys(home).find(({ id }) => id === old.info.id);
    expect(kept && isSignedBy(kept.key, envelope)).toBe(true);
    // Of the old one nothing is left that could sign.
    const files = readdirSync(join(home, "keys")).map((name) => readFileSync(join(home, "keys", name), "latin1"));
    expect(files.filter((text) => text.includes("PRIVATE KEY"))).toHaveLength(1);
  });

  it("is completed where a process ended between its two files", async () => {
    const home = makeHome();
    const { id } = (await createKeyStore(home).current()).info;
    rmSync(join(home, "keys", `${id}.pub`));
    expect((await createKeyStore(home).list()).map((key) => key.id)).toEqual([id]);
  });
});

describe("a key that is refused", () => {
  it.each([0o640, 0o604, 0o620, 0o666])("has the mode %o, and the hint says what to run", async (mode) => {
    const home = makeHome();
    const store = createKeyStore(home);
    await store.current();
    chmodSync(keyFile(home), mode);
    const refused = { code: "policy.path_denied", hint: expect.stringContaining(`chmod 600 ${keyFile(home)}`) };
    await expect(store.current()).rejects.toMatchObject(refused);
    await expect(store.rotate()).rejects.toMatchObject(refused);
    chmodSync(keyFile(home), 0o600);
    await expect(store.current()).resolves.toBeDefined();
  });

  it("is a link, or no key; and no error quotes what lies there", async () => {
    const home = makeHome();
    const store = createKeyStore(home);
    await store.current();
    const elsewhere = join(home, "elsewhere.pem");
    writeFileSync(elsewhere, readFileSync(keyFile(home)), { mode: 0o600 });
    rmSync(keyFile(home));
    symlinkSync(elsewhere, keyFile(home));
    await expect(store.current()).rejects.toMatchObject({ message: expect.stringContaining("symbolic link") });
    rmSync(keyFile(home));
    writeFileSync(keyFile(home), "-----BEGIN PRIVATE KEY-----\nsecret-words\n", { mode: 0o600 });
    const error: unknown = await store.current().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "policy.path_denied" });
    expect(inspect(error, { depth: 9 })).not.toContain("secret-words");
  });

  it("is a public key under another's name", async () => {
    const home = makeHome();
    const { id } = (await createKeyStore(home).current()).info;
    const other = makeHome();
    const strange = await createKeyStore(other).current();
    const pem = readFileSync(join(other, "keys", `${strange.info.id}.pub`));
    writeFileSync(join(home, "keys", `${"0".repeat(64)}.pub`), pem);
    expect(readPublicKeys(home).map((key) => key.id)).toEqual([id]);
  });
});

it("a signing key shows nothing of its private half, however it is printed", async () => {
  const home = makeHome();
  const key = await createKeyStore(home).current();
  const secret = readFileSync(keyFile(home), "utf8").split("\n")[1] ?? "";
  expect(secret.length).toBeGreaterThan(40);
  for (const text of [inspect(key, { depth: 9, showHidden: true }), JSON.stringify(key), String(key)]) {
    expect(text).not.toContain(secret.slice(-20));
  }
});
