import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const scripts = describeExtension(
  "scripts",
  "{}",
  `      - name: python
        description: Adds numbers.
        runner: python.script
        script: scripts/add.py
        arguments: [{ name: numbers, type: number, repeat: true, required: true }]
        args: ["{{ numbers }}"]
      - name: value
        description: Ends with a value.
        runner: python.script
        script: scripts/value.py
      - name: picture
        description: Writes a file.
        runner: python.script
        script: scripts/picture.py
      - name: write
        description: Writes a file.
        runner: python.script
        script: scripts/write.py
        arguments: [{ name: name, type: path, required: true }]
        args: ["{{ name }}"]
      - name: node
        description: Says its words.
        runner: node.script
        script: scripts/say.mjs
        arguments: [{ name: words, repeat: true }]
        args: ["{{ words }}"]
        stdin: "from stdin"
      - name: broken
        description: Raises.
        runner: python.script
        script: scripts/broken.py
      - name: exits
        description: Ends with a status.
        runner: python.script
        script: scripts/exits.py
      - name: forever
        description: Never ends.
        runner: python.script
        timeoutSeconds: 1
        script: scripts/forever.py
`,
);
Object.assign(scripts, {
  "scripts/add.py": "import sys\nfrom adding import add\nprint(add(sys.argv[1:]))\n",
  "scripts/adding.py": "def add(words):\n    return sum(float(word) for word in words)\n",
  "scripts/value.py": "import os\nresult = {'files': sorted(os.listdir('/extension')), 'here': os.listdir('.')}\n",
  "scripts/picture.py": "open('picture.svg', 'w').write('<svg/>')\nprint('drawn')\n",
  "scripts/write.py": "import sys\nopen(sys.argv[1], 'w').write(sys.argv[1])\n",
  "scripts/say.mjs":
    'import { say } from "./saying.mjs";\nlet input = "";\nfor await (const piece of process.stdin) input += piece;\nconsole.log(say(process.argv.slice(2)), input);\n',
  "scripts/saying.mjs": "export const say = (words) => JSON.stringify(words);\n",
  "scripts/broken.py": "def f():\n    raise ValueError('it is broken')\nf()\n",
  "scripts/exits.py": "import sys\nprint('last words', file=sys.stderr)\nsys.exit(9)\n",
  "scripts/forever.py": "while True:\n    pass\n",
});

const test = openExtensionDock({ extensions: [scripts] });

describe("scripts of extensions", () => {
  it("run in Python, beside the modules that lie there", async () => {
    expect(await test.output("/scripts python 1 2.5")).toBe("3.5\n");
  });

  it("give what they end with where they print nothing", async () => {
    expect(await test.call("/scripts value")).toMatchObject({
      success: true,
      json: { files: ["commands.yaml", "docs", "extension.yaml", "scripts"], here: [] },
    });
  });

  it("keep the files that they write as artifacts and in the work directory", async () => {
    const drawn = await test.call("/scripts picture", { session: "drawing" });
    expect(drawn).toMatchObject({ output: "drawn\n", artifacts: [{ name: "picture.svg", mime: "image/svg+xml" }] });
    expect(await test.call("/scripts value", { session: "drawing" })).toMatchObject({
      json: { here: ["picture.svg"] },
    });
    expect(await test.call("/scripts value", { session: "other" })).toMatchObject({ json: { here: [] } });
  });

  it("find the files of a conversation that went on, and none of one that nobody used for a week", async () => {
    for (const session of ["used", "left"]) await test.output("/scripts picture", { session });
    const [used, left] = ["used", "left"].map((name) => join(test.home, "extensions", "work", "scripts", name));
    const longAgo = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    for (const directory of [used, left]) await utimes(directory ?? "", longAgo, longAgo);
    await test.output("/scripts value", { session: "used" });
    await test.output("/scripts picture", { session: "new" });
    expect([used, left].map((directory) => existsSync(directory ?? ""))).toEqual([true, false]);
  });

  it("that write at the same time keep all of it", async () => {
    const lines = ["one", "two", "three", "four"].map((name) => `/scripts write ${name}`);
    await Promise.all(lines.map((line) => test.output(line, { session: "crowd" })));
    expect(await test.call("/scripts value", { session: "crowd" })).toMatchObject({
      json: { here: expect.arrayContaining(["one", "two", "three", "four"]) },
    });
  });

  it("run in Node, with their own modules, words and input", async () => {
    expect(await test.output("/scripts node a 'b c'")).toBe('["a","b c"] from stdin\n');
  });

  it("that fail tell where and why", async () => {
    expect(await test.error("/scripts broken")).toMatchObject({
      code: "code.exception",
      message: expect.stringContaining("it is broken"),
    });
    expect(await test.error("/scripts exits")).toMatchObject({
      code: "code.exit",
      exitCode: 9,
      message: expect.stringContaining("last words"),
    });
    expect(await test.error("/scripts forever")).toMatchObject({ code: expect.stringMatching(/^limit\./) });
  });
});
