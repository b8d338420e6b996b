import { execSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { type AgentContext, agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/** An agent without a model, on the official SDK: it does what the words of a prompt say. It runs inside the sandbox. */
const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
const cancelled = new Set<string>();
let cwd = "";
let offers: unknown;

agent({ name: "example" })
  .onRequest(methods.agent.initialize, ({ params }) => {
    offers = params.clientCapabilities;
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities: { loadSession: false } };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    cwd = params.cwd;
    return { sessionId: "ses-1" };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    cancelled.add(params.sessionId);
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const [block] = prompt;
    const words = block?.type === "text" ? block.text : "";
    cancelled.delete(sessionId);
    const stopReason = await act(client, sessionId, words);
    return { stopReason };
  })
  .connect(stream);

async function act(client: AgentContext, sessionId: string, words: string): Promise<"end_turn" | "cancelled"> {
  const say = (text: string) =>
    client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
  const [verb = "", ...rest] = words.split(" ");
  const argument = rest.join(" ");
  const ask = async (kind: "edit" | "execute", rawInput: object, path: string) => {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "1", title: argument, kind, rawInput, locations: [{ path }] },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    });
    return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  };
  switch (verb) {
    case "where":
      await say(JSON.stringify({ cwd, offers, processCwd: process.cwd() }));
      return "end_turn";
    case "shell":
      // A command of the agent's own, which no protocol sees.
      execSync(argument, { cwd: "/work", shell: "/bin/bash" });
      await say("done");
      return "end_turn";
    case "write":
      await client.request(methods.client.fs.writeTextFile, {
        sessionId,
        path: `${cwd}/${argument}`,
        content: "written\n",
      });
      await say(
        (await client.request(methods.client.fs.readTextFile, { sessionId, path: `${cwd}/${argument}` })).content,
      );
      return "end_turn";
    case "terminal": {
      await using terminal = await client.createTerminal({ sessionId, command: "bash", args: ["-c", argument], cwd });
      const { exitCode } = await terminal.waitForExit();
      await say(`${exitCode} ${(await terminal.currentOutput()).output}`);
      return "end_turn";
    }
    case "edit": {
      const said = await ask("edit", {}, `${cwd}/${argument}`);
      if (said === "yes") writeFileSync(`${cwd}/${argument}`, "edited\n");
      await say(String(said));
      return "end_turn";
    }
    case "wait":
      await say("waiting");
      while (!cancelled.has(sessionId)) await new Promise((resolve) => setTimeout(resolve, 20));
      return "cancelled";
    case "die":
      process.exit(3);
      break;
    case "ask-and-die":
      void ask("edit", {}, `${cwd}/a.txt`);
      setTimeout(() => process.exit(4), 300);
      return new Promise(() => {});
    default:
      await say(`I don't know ${verb}.`);
  }
  return "end_turn";
}
