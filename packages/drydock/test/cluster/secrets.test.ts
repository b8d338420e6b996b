import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addressIn,
  findPostgresProgram,
  startPostgres,
  type TestServer,
} from "../../src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { spawnCli } from "../../src/surfaces/cli/testing/run-cli.ts";

const PASSWORD = "tide-and-time";
const directory = join(tmpdir(), `drydock-secrets-${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "drydock-cluster-"));
/** A way to the server over TCP, as to one on another machine. */
const tcp = createServer((socket) => {
  const server = connect(join(directory, ".s.PGSQL.5432"));
  for (const [from, to] of [
    [socket, server],
    [server, socket],
  ] as const) {
    from.on("error", () => to.destroy());
    from.pipe(to);
  }
});
let server: TestServer;
let port = 0;

beforeAll(async () => {
  server = await startPostgres({ directory, guarded: { user: "keyed", password: PASSWORD } });
  runSql(addressIn(directory), "create database ours owner keyed");
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  port = (tcp.address() as AddressInfo).port;
  // As generous as an owner can be: every variable, and the whole loopback device.
  writeFileSync(
    join(home, "policy.yaml"),
    'version: 1\nenvironment: { allow: ["*"] }\nnetwork: { allow: ["127.0.0.1:*", "localhost:*"] }\n',
  );
});
afterAll(async () => {
  tcp.close();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

const address = () => `postgres://keyed:${PASSWORD}@127.0.0.1:${port}/ours`;
const run = (...argv: string[]) => {
  const variables = { DATABASE_URL: address(), PGPASSWORD: PASSWORD, LANG: "C.UTF-8" };
  return spawnCli(home, argv, "", variables).finished;
};

const LOOK = `
import glob, os, socket, urllib.request
print("variables", sorted(k for k in os.environ if k in ("DATABASE_URL", "PGPASSWORD", "LANG")))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        if b"tide" + b"-and" in open(path, "rb").read(): print("found in", path)
    except OSError: pass
for where in (("127.0.0.1", PORT), DIRECTORY + "/.s.PGSQL.5432"):
    s = socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET)
    try: s.connect(where); print("reached", where)
    except OSError as e: print("refused")
for host in ("127.0.0.1", "localhost"):
    way = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ["http_proxy"]}))
    try: print("reached", way.open(f"http://{host}:PORT/").status)
    except urllib.error.HTTPError as e: print("proxy", e.code)
`;
const look = () => LOOK.replaceAll("PORT", String(port)).replace("DIRECTORY", JSON.stringify(directory));

test("the address is in no variable, no command line and no reach of what runs, in a run and in a session", async () => {
  const plain = await run("exec", "-c", look());
  expect(plain).toEqual({
    status: 0,
    stdout: "variables ['LANG']\nrefused\nrefused\nproxy 403\nproxy 403\n",
    stderr: "",
  });
  const opened = await run("session", "open", "--json");
  const { sessionId } = JSON.parse(opened.stdout) as { sessionId: string };
  try {
    expect(await run("session", "exec", sessionId, "-c", look())).toMatchObject({ stdout: plain.stdout });
    const shown = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
      .flatMap((name) => readCommand(name));
    expect(shown.filter((words) => words.includes("__keeper") && words.includes(home))).toHaveLength(1);
    expect(shown.filter((words) => words.includes(PASSWORD))).toEqual([]);
    // Its sessions are recorded in the database: nobody else gets to them by accident.
    const elsewhere = await spawnCli(home, ["session", "list"]).finished;
    expect(elsewhere.stderr).toContain("recorded in another ledger: postgres://keyed@127.0.0.1");
  } finally {
    expect(await run("session", "close", sessionId)).toMatchObject({ status: 0 });
  }
});

test("what is typed, printed, recorded or told of a fault shows neither the password nor the address", async () => {
  const printed = await run("exec", "-c", `print("${address()}", "and ${PASSWORD}")`);
  expect(printed.status).toBe(0);
  const doctor = await run("doctor");
  expect(doctor.stdout).toMatch(new RegExp(`✓ database +postgres://keyed@127.0.0.1:${port}/ours \\(PostgreSQL \\d+`));
  const dump = execFileSync(findPostgresProgram("pg_dump"), [addressIn(directory, "ours")], { encoding: "utf8" });
  expect(dump).toContain("[redacted:DATABASE_URL]");
  expect(existsSync(join(home, "ledger.db"))).toBe(false);
  const faults = [
    await spawnCli(home, ["runs", "list"], "", { DATABASE_URL: address().replace(/:\d+\//, ":1/") }).finished,
    await spawnCli(home, ["runs", "list"], "", { DATABASE_URL: address().replace(PASSWORD, "wrong-word") }).finished,
    await spawnCli(home, ["doctor", "--json"], "", { DATABASE_URL: `mysql://x:${PASSWORD}@h/d` }).finished,
  ];
  expect(faults.map(({ status }) => status)).toEqual([70, 70, 5]);
  expect(faults.map(({ stderr, stdout }) => /can't be \w+|is not the address/.exec(stderr + stdout)?.[0])).toEqual([
    "can't be reached",
    "can't be opened",
    "is not the address",
  ]);
  for (const text of [
    doctor.stdout,
    dump,
    ...faults.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...readAll(home),
  ])
    expect(text).not.toMatch(/tide-and-time|wrong-word/);
});

function readCommand(process: string): string[] {
  try {
    return [readFileSync(`/proc/${process}/cmdline`, "utf8")];
  } catch {
    return [];
  }
}

/** What lies in the home. */
function readAll(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .map((name) => join(place, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path, "latin1"));
}
