import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { readLines } from "./read-lines.ts";
import type { Plugin } from "./runner.ts";
import { serveChannel } from "./serve-channel.ts";

/**
 * The main program of a plugin: serves its runners to the host on stdin and stdout until the host is done, and ends the
 * process. From here on stdout belongs to the protocol: what the plugin prints goes to stderr.
 */
export async function servePlugin(plugin: Plugin): Promise<never> {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The host is gone: nobody is left to tell.
  stdout.on("error", () => process.exit(1));
  await serveChannel(plugin, {
    lines: readLines(stdin, RUNNER_LIMITS.hostLineBytes),
    send: (line) => void write(line),
    warn: (text) => void stderr.write(`${text.trimEnd()}\n`),
  });
  await new Promise((resolve) => write("", resolve));
  process.exit(0);
}
