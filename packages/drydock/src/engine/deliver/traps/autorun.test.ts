import { describe, expect, it } from "vitest";
import { type DeliveryFixture, prepareDelivery } from "../testing/delivery-fixture.ts";
import { MEMORY, type Picture, readTree } from "../testing/trees.ts";
import { AUTORUN_RULES } from "./autorun-rules.ts";

/** The paths that nobody has agreed to; none where it was delivered. */
async function needsWord(before: Picture, after: Picture, hookDirectories: string[] = []): Promise<string[]> {
  const fixture = prepareDelivery(before, after, MEMORY);
  const old = readTree(fixture.workspace);
  const outcome = await fixture.deliver({ autorun: { hookDirectories } });
  if (outcome.kind !== "autorun") {
    expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
    return [];
  }
  expect(readTree(fixture.workspace)).toEqual(old);
  return outcome.files.map(({ path }) => path);
}

const deliverAgreed = (fixture: DeliveryFixture) => fixture.deliver({ autorun: { isAllowed: true } });
const pack = (scripts: object, more: object = {}) => JSON.stringify({ name: "a", scripts, ...more });

describe("files that run by themselves", () => {
  const EXAMPLES = AUTORUN_RULES.filter(({ test = "always" }) => test === "always").flatMap(({ patterns }) =>
    patterns.map((pattern) => pattern.replace("/**", "/x/y").replaceAll("*", "x")),
  );

  it("need a word, new or changed, here or below, and none to go", async () => {
    const paint = (text: string, below = ""): Picture =>
      Object.fromEntries(EXAMPLES.map((path) => [`${below}${path}`, text]));
    const all = [...EXAMPLES].sort();
    expect((await needsWord({}, paint("1"))).sort()).toEqual(all);
    expect((await needsWord({}, paint("1", "sub/dir/"))).sort()).toEqual(all.map((path) => `sub/dir/${path}`));
    expect((await needsWord(paint("1"), paint("2"))).sort()).toEqual(all);
    expect(await needsWord({ a: "", ...paint("1") }, { a: "" })).toEqual([]);
  });

  const KNOWN = [
    ...[".githooks/pre-commit", ".husky/pre-commit", ".pre-commit-config.yaml", ".gitmodules", ".envrc"],
    ...[".mise.toml", "mise.toml", ".vscode/tasks.json", ".vscode/settings.json", ".idea/runConfigurations/a.xml"],
    ...[".devcontainer/devcontainer.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "lefthook.yml"],
    ...["sitecustomize.py", "usercustomize.py", "site/a.pth", ".github/workflows/ci.yml", ".gitlab-ci.yml"],
    ...[".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml", ".buildkite/pipeline.yml"],
    ...[".claude/settings.json", ".cursor/mcp.json", ".gemini/settings.json", ".mcp.json", ".cargo/config.toml"],
  ];

  it("are those that people know", async () => {
    const picture = Object.fromEntries(KNOWN.map((path) => [path, "x"]));
    expect((await needsWord({}, picture)).sort()).toEqual([...KNOWN].sort());
  });

  it("are delivered once somebody has agreed, and the journal says so", async () => {
    const fixture = prepareDelivery({}, { ".envrc": "export A=1\n", "a.txt": "a" });
    expect(await fixture.deliver()).toEqual({
      kind: "autorun",
      files: [{ path: ".envrc", reason: "direnv runs it when you enter the directory" }],
    });
    let recorded: string[] | undefined;
    const record = async (_delivery: unknown, journal: { autorun?: string[] }) => {
      recorded = journal.autorun;
    };
    expect(await fixture.deliver({ autorun: { isAllowed: true }, record })).toMatchObject({ kind: "applied" });
    expect(recorded).toEqual([".envrc"]);
    expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
  });

  it("are known in other spellings", async () => {
    for (const path of [".ENVRC", ".envrc.", ".en\u200cvrc", ".GitHub/Workflows/ci.yml", "Package.JSON"]) {
      expect(await needsWord({}, { [path]: pack({ postinstall: "x" }) }), path).toEqual([path]);
    }
  });

  it("are known by the links that lead to them", async () => {
    expect(await needsWord({ notes: "" }, { notes: "", ".envrc": { link: "notes" } })).toEqual([".envrc"]);
    expect(await needsWord({ "ci/a": "" }, { "ci/a": "", ".github": { link: "ci" } })).toEqual([".github"]);
    const linked: Picture = { ".claude": { link: "agents" }, "agents/a.md": "1", "package.json": { link: "p.json" } };
    expect(await needsWord(linked, { ...linked, "agents/settings.json": "{}" })).toEqual(["agents/settings.json"]);
    const [old, fresh] = [
      { ...linked, "p.json": pack({}) },
      { ...linked, "p.json": pack({ install: "x" }) },
    ];
    expect(await needsWord(old, fresh)).toEqual(["p.json"]);
  });

  it("are known by links below the root, and by links in what those lead to", async () => {
    const below: Picture = { "sub/.vscode": { link: "../editor" }, "editor/tasks.json": { link: "../t.json" } };
    const old: Picture = { ...below, "t.json": "1", "editor/launch.json": "1", "editor/settings.json": "1" };
    expect(await needsWord(old, { ...old, "editor/settings.json": "2" })).toEqual(["editor/settings.json"]);
    expect(await needsWord(old, { ...old, "t.json": "2" })).toEqual(["t.json"]);
    expect(await needsWord(old, { ...old, "editor/launch.json": "2" })).toEqual([]);
    const up: Picture = { "editor/.vscode": { link: ".." }, "tasks.json": "1", a: "1" };
    expect(await needsWord(up, { ...up, "tasks.json": "2", a: "2" })).toEqual(["tasks.json"]);
    const hooks: Picture = { tools: { link: "other" }, "other/hooks/pre-push": "1" };
    expect(await needsWord(hooks, { ...hooks, "other/hooks/pre-push": "2" }, ["tools/hooks"])).toEqual([
      "other/hooks/pre-push",
    ]);
  });

  it("are hooks in the directory that git's own configuration names", async () => {
    expect(await needsWord({}, { "tools/hooks/pre-push": "", "tools/a": "" }, ["tools/hooks"])).toEqual([
      "tools/hooks/pre-push",
    ]);
    expect(await needsWord({}, { tools: { link: "other" } }, ["tools/hooks"])).toEqual(["tools"]);
  });

  const HONEST = [
    ...["Makefile", "run.sh", "conftest.py", "AGENTS.md", ".tool-versions", ".vscode/launch.json", "src/envrc"],
    ...[".github/CODEOWNERS", "docs/.github.md", "node_modules/a/.travis.yml", "mypackage.json", "husky/a"],
    ...["tests/workflows/a.yml", ".gitignore", "tsconfig.json", "setup.cfg", "pyproject.toml", "x.pth.txt"],
  ];

  it("are not those that a person runs, or that nobody does", async () => {
    const picture = Object.fromEntries(HONEST.map((path) => [path, { text: "x", mode: 0o755 }]));
    expect(await needsWord({}, picture)).toEqual([]);
  });

  it("are a setup.py only where it is new", async () => {
    expect(await needsWord({}, { "setup.py": "1" })).toEqual(["setup.py"]);
    expect(await needsWord({ "setup.py": "1" }, { "setup.py": "2" })).toEqual([]);
  });
});

describe("a package.json", () => {
  const NAMES = ["preinstall", "install", "postinstall", "prepare", "prepack", "prepublish", "prepublishOnly"];

  it.each([...NAMES, "postprepare", "preprepare", "dependencies"])("with a new %s needs a word", async (name) => {
    expect(await needsWord({}, { "package.json": pack({ [name]: "x" }) })).toEqual(["package.json"]);
    const before = pack({ test: "t", [name]: "old" });
    expect(await needsWord({ "package.json": before }, { "package.json": pack({ [name]: "new" }) })).toHaveLength(1);
    const kept = pack({ test: "changed", [name]: "old" }, { version: "2" });
    expect(await needsWord({ "package.json": before }, { "package.json": kept })).toEqual([]);
    expect(await needsWord({ "package.json": before }, { "package.json": pack({}) })).toEqual([]);
  });

  it("names the scripts", async () => {
    const scripts = { postinstall: "x", prepare: "y", test: "z" };
    const fixture = prepareDelivery({}, { "package.json": pack(scripts) });
    expect(await fixture.deliver()).toMatchObject({
      files: [{ reason: "npm runs postinstall, prepare by itself" }],
    });
    expect(await deliverAgreed(fixture)).toMatchObject({ kind: "applied" });
  });

  it("with other scripts needs none, nor one of a package that is installed", async () => {
    expect(await needsWord({}, { "package.json": pack({ test: "t", build: "b", start: "s" }) })).toEqual([]);
    expect(await needsWord({}, { "node_modules/a/package.json": pack({ postinstall: "x" }) })).toEqual([]);
    expect(await needsWord({}, { "package.json": "{}" })).toEqual([]);
  });

  it("that hides its scripts needs one", async () => {
    const hidden = `{"scripts":{"test":"a"},"scripts":{"post\\u0069nstall":"x"}}`;
    for (const text of [hidden, "{ not json", "null", `\ufeff${pack({ install: "x" })}`]) {
      expect(await needsWord({}, { "package.json": text })).toEqual(["package.json"]);
    }
  });

  it("whose old text was not kept counts as new", async () => {
    const [before, after] = [pack({ prepare: "x" }), pack({ prepare: "x", test: "t" })];
    const fixture = prepareDelivery({ "package.json": before }, { "package.json": after });
    const contents = { ...fixture.contents, readBase: async () => null };
    expect(await fixture.deliver({ contents })).toMatchObject({ kind: "autorun" });
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
  });
});

describe("a .gitattributes", () => {
  it.each(["*.c filter=x", "a diff=tool", "*.lock text merge=ours", "[attr]m filter=x", '"a b" filter=x'])(
    "with the new line %j needs a word",
    async (line) => {
      expect(await needsWord({}, { ".gitattributes": `${line}\n` })).toEqual([".gitattributes"]);
      const [before, after] = [`${line}\n`, `* text=auto\n${line}\n`];
      expect(await needsWord({ ".gitattributes": before }, { ".gitattributes": after })).toEqual([]);
      expect(await needsWord({}, { "sub/.gitattributes": `* text\r\n${line}\r\n` })).toHaveLength(1);
    },
  );

  it("without programs needs none", async () => {
    expect(await needsWord({}, { ".gitattributes": "* text=auto eol=lf\n*.png binary -diff\n# filter=x\n" })).toEqual(
      [],
    );
  });
});
