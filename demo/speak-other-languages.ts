import type { Dock } from "drydock";
import type { Stage } from "./stage.ts";

/** Node and bash go through the same door. Output arrives while the code runs; input can be given. */
export async function speakOtherLanguages(dock: Dock, stage: Stage): Promise<void> {
  stage.act("Node and bash");
  const node = await dock.exec({
    language: "node",
    code: "const result = await Promise.resolve(6 * 7);\nconsole.log('node', process.version, 'says', result);",
  });
  stage.quote(node.stdout);
  const pieces: string[] = [];
  const bash = await dock.exec({
    language: "bash",
    code: "sort -n | tail -1; echo $USER on $(hostname) in $PWD",
    stdin: "3\n141\n59\n",
    onOutput: ({ text }) => pieces.push(text),
  });
  stage.quote(bash.stdout);
  stage.check("node's `result` came back as a value", node.result === 42);
  stage.check("bash read its input, and its output was streamed", bash.ok && pieces.join("") === bash.stdout);
}
