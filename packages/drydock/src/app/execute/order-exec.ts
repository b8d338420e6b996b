import { hash } from "node:crypto";
import { hostname } from "node:os";
import { DrydockError } from "@drydock/protocol";
import { machineOf, type Order } from "../../queue/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { ExecOptions, QueueOptions } from "./api.ts";
import { describeRequest, prepareExec } from "./prepare-exec.ts";
import { invalidInputError, titleOf } from "./read-request.ts";

const REDACTED_HINT =
  "Put it into an upstream (`drydock upstream add`), or run it here: what waits for a worker is stored.";

/**
 * The execution as an order for a worker: its record holds all that is needed, the frozen policy too. Null where the policy refuses it:
 * then there is nothing to carry out, and `execute` records why.
 */
export async function orderExec(ports: ExecPorts, options: ExecOptions & QueueOptions): Promise<Order | null> {
  const { priority, startAfter, needs = [], ...rest } = options;
  refuseBound(rest);
  const prepared = await prepareExec(ports, rest);
  const { request, work, workspace, resolved, refusal } = prepared;
  if (refusal || !resolved) return null;
  const { request: described, longCode } = describeRequest(ports.ledger, request, work);
  const stdin = readStdin(options.stdin);
  const input = stdin && { bytes: stdin.length, sha256: hash("sha256", stdin) };
  const data = { policy: resolved.effective, request: described, hears: ["cancel"], ...(input && { input }) };
  requireNoSecret(ports, described, work.code, stdin);
  return {
    run: { kind: "exec", title: titleOf(ports.ledger, work), workspace, data },
    needs: listNeeds(work.language, workspace, needs),
    party: options.caller ?? ports.caller ?? "",
    agent: null,
    contents: [...(longCode ? [longCode] : []), ...(stdin ? [stdin] : [])],
    ...(priority !== undefined && { priority }),
    ...(startAfter !== undefined && { startAfter }),
  };
}

/** What only the process can do that was asked. */
function refuseBound({ session, unconfined, onInput, parentRunId }: ExecOptions): void {
  const bound =
    session !== undefined
      ? "a step of a session runs where the session is"
      : unconfined
        ? "what runs without a sandbox is not handed to other machines"
        : onInput
          ? "code that asks a person runs where that person is"
          : parentRunId !== undefined
            ? "a part of a run is carried out where that run is"
            : null;
  if (bound === null) return;
  throw new DrydockError("input.invalid", `It can't wait for a worker: ${bound}.`, "Run it here.");
}

function readStdin(stdin: ExecOptions["stdin"]): Buffer | undefined {
  if (stdin === undefined) return undefined;
  if (typeof stdin === "string") return Buffer.from(stdin);
  if (stdin instanceof Uint8Array) return Buffer.from(stdin);
  throw invalidInputError("Input that comes later can't be handed to a worker.");
}

/** The record is what the worker reads, and it has no secrets. */
function requireNoSecret({ ledger }: ExecPorts, described: object, code: string, stdin: Buffer | undefined): void {
  const texts = [JSON.stringify(described), code, stdin?.toString("latin1") ?? ""];
  if (texts.every((text) => ledger.redact(text) === text)) return;
  throw new DrydockError("input.invalid", "It can't wait for a worker: it holds a secret.", REDACTED_HINT);
}

const LABEL = /^[\w.-]{1,64}$/;

function listNeeds(language: string, workspace: string | null, labels: readonly string[]): string[] {
  const odd = labels.find((label) => !LABEL.test(label));
  if (odd !== undefined) {
    const hint = "A label has letters, digits, dots, dashes and underscores: --needs gpu,eu-west.";
    throw new DrydockError("input.invalid", `${JSON.stringify(odd)} is no label of a worker.`, hint);
  }
  const place = workspace === null ? [] : [machineOf(hostname())];
  return [`language:${language}`, ...place, ...labels.map((label) => `label:${label}`)];
}
