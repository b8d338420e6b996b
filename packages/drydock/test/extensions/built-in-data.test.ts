import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openExtensionDock } from "../testing/extension-dock.ts";

const made = openExtensionDock({ extensions: [] });

const TABLE = "name,age,city\nAnn,30,Paris\nBob,40,Rome\nCid,50,Paris\n";

describe("/jq", () => {
  it("filters files, data and responses", async () => {
    const workspace = made.makeDirectory({ "a.json": '{"b": [1, {"c": "d"}]}' });
    expect(await made.output("/jq file a.json '.b[1].c' --raw", { workspace })).toBe("d\n");
    expect(await made.output("/jq '.c' -r | /jq filter .", { workspace }).catch(() => "no JSON")).toBe("no JSON");
    expect(await made.output(`/jq data '.a + .b' --data '{"a": 1, "b": 2}'`)).toBe("3\n");
    expect(await made.output(`/jq data . -c --data '[1, {"x": "--y"}]' | /jq '.[1].x'`)).toBe('"--y"\n');
  });

  it("can't be given options, or read what it was not shown", async () => {
    const workspace = made.makeDirectory({ "a.json": "{}" });
    for (const line of [
      "/jq file a.json -- --slurp",
      "/jq file /etc/passwd .",
      "/jq file ../a.json .",
      "/jq file a.json --rawfile x /etc/passwd",
      `/jq data 'import "x" as x; .' --data 1`,
    ]) {
      expect(await made.call(line, { workspace }), line).toMatchObject({ type: "capability_error" });
    }
  });

  it("says what to do where there is no response yet", async () => {
    expect(await made.call("/jq .", { session: "new" })).toMatchObject({ error: { code: "input.invalid" } });
    expect(await made.call("/jq analyze", { session: "new" })).toMatchObject({ error: { code: "input.invalid" } });
  });

  it("tells a schema, and how data differs from one", async () => {
    const session = "schemas";
    await made.output(`/jq data . --data '[{"id": 1, "tags": ["a"]}, {"id": "2"}]'`, { session });
    const compared = await made.call(
      `/jq schema --schema '{"items": {"properties": {"id": {"type": "integer"}, "name": {}}, "required": ["name"]}}'`,
      { session },
    );
    expect(compared).toMatchObject({ metadata: { valid: false } });
    const text = "output" in compared ? compared.output : "";
    expect(text).toContain("[].id: type: the schema says integer, the data has string or integer");
    expect(text).toContain("[].name: missing: required by the schema, and not there");
    expect(text).toContain('/1/id: does not satisfy type "integer"');
  });

  it("is not held up by a schema that takes exponential time", async () => {
    const schema = JSON.stringify({ items: { pattern: "^(a+)+$" } });
    const data = JSON.stringify([`${"a".repeat(60)}!`]);
    const outcome = await made.dock.extensions.execute({ command: "jq", action: "schema", values: { schema, data } });
    expect(outcome).toMatchObject({ output: expect.stringContaining("is not known: it took more than") });
  });
});

describe("/csv", () => {
  it("summarizes, filters and averages a file of the workspace", async () => {
    const workspace = made.makeDirectory({ "people.csv": TABLE });
    expect(JSON.parse(await made.output("/csv summary people.csv", { workspace }))).toMatchObject({
      rows: 3,
      columns: [{ name: "name" }, { name: "age", type: "number", average: 40 }, { name: "city", distinct: 2 }],
    });
    const filter = `/csv filter people.csv --where "age > 30" --where "city = Paris" --columns name,age`;
    expect(await made.output(filter, { workspace })).toBe("name,age\nCid,50\n");
    const averages = JSON.parse(await made.output("/csv average people.csv --by city", { workspace }));
    expect(averages).toEqual({ Paris: { age: 40 }, Rome: { age: 40 } });
    expect(await made.output("/csv head people.csv -n 1 --where 'name ~ o'", { workspace })).toBe(
      "name,age,city\nBob,40,Rome\n",
    );
  });

  it("works on what another command gave", async () => {
    const workspace = made.makeDirectory({ "people.csv": TABLE.replaceAll(",", ";") });
    const line = "/csv filter people.csv --sort age --descending | /csv head --rows 1";
    expect(await made.output(line, { workspace })).toBe("name,age,city\nCid,50,Paris\n");
    expect(await made.output("/csv analyze", { workspace })).toContain("CSV from the response of /csv head");
  });

  it("draws the average of every column", async () => {
    const workspace = made.makeDirectory({ "data.csv": "a,b\n1,10\n3,30\n" });
    const outcome = await made.call("/csv chart data.csv --average", { workspace });
    expect(outcome).toMatchObject({ json: { y: ["a", "b"], shown: "average" }, artifacts: [{ mime: "image/png" }] });
    const sums = made.makeDirectory({ "data.csv": "who,n\nann,1\nbob,2\nann,3\n" });
    const drawn = await made.call("/csv chart data.csv", { workspace: sums });
    expect(drawn).toMatchObject({ json: { x: "who", y: ["n"], shown: "sum", points: 2 } });
  });

  it("says what is wrong, and evaluates nothing", async () => {
    const workspace = made.makeDirectory({ "people.csv": TABLE });
    const message = async (line: string) => (await made.error(line, { workspace })).message;
    expect(await message("/csv summary nobody.csv")).toContain("There is no file nobody.csv");
    expect(await message("/csv filter people.csv -w 'size > 3'")).toContain("There are: name, age, city");
    expect(await message('/csv filter people.csv -w \'__import__("os").system("id") = 1\'')).toContain(
      "There is no column",
    );
    expect(await message("/csv average people.csv --by @x")).toContain("There is no column @x");
  });
});

describe("/sqlite", () => {
  function makeDatabase(): string {
    const workspace = made.makeDirectory({ "secret.txt": "secret" });
    const database = new DatabaseSync(join(workspace, "shop.db"));
    database.exec("create table items(name, price); insert into items values ('lamp', 10), ('it''s', 20)");
    database.close();
    return workspace;
  }

  it("gives rows, tables and the schema, and leaves nothing behind", async () => {
    const workspace = makeDatabase();
    const rows = `/sqlite query shop.db "select * from items where name = 'it''s'"`;
    expect(JSON.parse(await made.output(rows, { workspace }))).toEqual([{ name: "it's", price: 20 }]);
    expect(await made.output("/sql query shop.db 'select price from items' -f csv", { workspace })).toBe(
      "price\n10\n20\n",
    );
    expect(JSON.parse(await made.output("/sqlite tables shop.db", { workspace }))).toEqual([
      { name: "items", type: "table", columns: 2 },
    ]);
    expect(await made.output("/sqlite schema shop.db", { workspace })).toBe("CREATE TABLE items(name, price);\n");
    expect(readdirSync(workspace).sort()).toEqual(["secret.txt", "shop.db"]);
  });

  it("sees what a log holds that is not in the database yet", async () => {
    const workspace = makeDatabase();
    const database = new DatabaseSync(join(workspace, "live.db"));
    database.exec("pragma journal_mode = wal; create table t(a); insert into t values (41)");
    const outcome = await made.call("/sqlite query live.db 'select a from t'", { workspace });
    database.close();
    expect(outcome).toMatchObject({ type: "capability_result", json: [{ a: 41 }] });
  });

  it.each([
    ["a command of its shell", ".shell touch pwned"],
    ["one behind a comment", "/* */\n.shell touch pwned"],
    ["a file that is attached", "attach 'other.db' as other; create table other.t(a)"],
    ["a file that is read", "select readfile('secret.txt')"],
    ["a file that is written", "select writefile('pwned', 'x')"],
    ["a program that is edited with", "select edit('x', 'touch pwned')"],
    ["a library that is loaded", "select load_extension('./x')"],
    ["a copy", "vacuum into 'pwned'"],
    ["a change", "delete from items"],
    ["a change behind a switch", "pragma query_only = 0; pragma writable_schema = 1; drop table items"],
  ])("refuses %s", async (_name, query) => {
    const workspace = makeDatabase();
    const route = { command: "sqlite", action: "query", values: { path: "shop.db", query } };
    const outcome = await made.dock.extensions.execute(route, { workspace });
    expect(outcome).toMatchObject({ type: "capability_error", error: { code: "code.exit" }, artifacts: [] });
    expect(JSON.stringify(outcome)).not.toContain("secret\\n");
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });

  it("takes no option for a query, and no address for a file", async () => {
    const workspace = makeDatabase();
    const wrong: Record<string, string>[] = [
      { path: "shop.db", query: "-cmd .shell" },
      { path: "-cmd", query: "select 1" },
      { path: "file:shop.db?mode=rwc", query: "select 1" },
      { path: "shop.db", query: "select 1", format: "json -cmd x" },
    ];
    for (const values of wrong) {
      const outcome = await made.dock.extensions.execute({ command: "sqlite", action: "query", values }, { workspace });
      expect(outcome, JSON.stringify(values)).toMatchObject({ type: "capability_error" });
    }
    expect(execFileSync("sqlite3", [join(workspace, "shop.db"), "select count(*) from items"]).toString()).toBe("2\n");
    expect(readFileSync(join(workspace, "secret.txt"), "utf8")).toBe("secret");
  });
});
