/**
 * What the command line and the keeper say to each other: one JSON value per line. The keeper greets first; a client
 * sends nothing before that, so that a connection which meets an ending keeper is lost without loss. Each request has
 * an id of the client's choosing; it is answered by any number of `output`, `reading` and `input` lines and then one `result` or
 * `error`. An `input` line says that the step waits for a line, which the client sends with the operation `input`.
 */
import type { ErrorInfo, Rollback, SessionInfo, SessionTotals, StepResult } from "@drydock/protocol";
import * as z from "zod";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { OutputChunk } from "../runs/api.ts";

export const KEEPER_VERSION = 6;

/** Code of 10 MB, escaped as badly as JSON can, still fits. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
/** Results hold the output once more, whose cap the owner may raise; this bounds what a broken keeper can do. */
export const MAX_REPLY_BYTES = 512 * 1024 * 1024;

const id = z.number().int().nonnegative();
const sessionId = z.string();
/** Only its outline is checked here: the dock checks policies, and says where they are wrong. */
const policy = z.record(z.string(), z.unknown()).optional();

export const KeeperRequest = z.discriminatedUnion("op", [
  z.strictObject({
    id,
    op: z.literal("open"),
    params: z.strictObject({
      language: z.enum(["python", "node"]).optional(),
      workspace: z.string().optional(),
      policy,
    }),
  }),
  z.strictObject({ id, op: z.literal("list"), params: z.strictObject({}) }),
  z.strictObject({ id, op: z.literal("totals"), params: z.strictObject({}) }),
  z.strictObject({ id, op: z.literal("stats"), params: z.strictObject({ sessionId }) }),
  z.strictObject({
    id,
    op: z.literal("exec"),
    params: z.strictObject({
      ...{ sessionId, code: z.string(), policy },
      unsafe: z.boolean().optional(),
      parentRunId: z.string().optional(),
      stdin: z.string().optional(),
      /** The client answers `input` lines. */
      asks: z.boolean().optional(),
    }),
  }),
  z.strictObject({
    id,
    op: z.literal("rollback"),
    params: z.strictObject({ sessionId, to: z.number().int().nonnegative().optional() }),
  }),
  z.strictObject({
    id,
    op: z.literal("fork"),
    params: z.strictObject({ sessionId, count: z.number().int().optional() }),
  }),
  z.strictObject({ id, op: z.literal("close"), params: z.strictObject({ sessionId }) }),
  /** A line for the step that the request with the id `target` runs; null is the end of its input. */
  z.strictObject({ id, op: z.literal("input"), params: z.strictObject({ target: id, text: z.string().nullable() }) }),
  /** Cancels the request with the id `target`; that one still gets its own answer. */
  z.strictObject({ id, op: z.literal("cancel"), params: z.strictObject({ target: id }) }),
]);
export type KeeperRequest = z.infer<typeof KeeperRequest>;
export type KeeperOp = KeeperRequest["op"];
export const KEEPER_OPS: readonly KeeperOp[] = KeeperRequest.options.map(({ shape }) => shape.op.value);
export type KeeperParams<Op extends KeeperOp> = Extract<KeeperRequest, { op: Op }>["params"];

export interface KeeperResults {
  open: SessionInfo;
  list: SessionInfo[];
  totals: SessionTotals;
  stats: SessionInfo;
  exec: StepResult;
  rollback: Rollback;
  fork: SessionInfo[];
  close: Record<string, never>;
  input: Record<string, never>;
  cancel: Record<string, never>;
}

export type KeeperReply =
  /** `ledger`: the address of the database that its sessions are recorded in; null is that of the home. */
  | { keeper: number; ledger: string | null }
  | { id: number; output: OutputChunk }
  | { id: number; reading: ScanProgress }
  | { id: number; input: { hidden: boolean } }
  | { id: number; result: KeeperResults[KeeperOp] }
  /** The id is null where the request was so broken that it had none. */
  | { id: number | null; error: ErrorInfo };
