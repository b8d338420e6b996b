import {
  ERROR_CODES,
  EVENT_TYPES,
  EXIT_STATUS,
  GuardCode,
  HEAD_PAYLOAD,
  HTTP_STATUS,
  IN_TOTO_PAYLOAD,
  mapLimits,
  RECEIPT_MEDIA,
  RECORD_PAYLOAD,
  ReceiptPart,
  RunStatus,
  SANDBOX_LEVELS,
  SandboxBackend,
  SandboxLevel,
  STATEMENT_TYPE,
  TERMINAL_EVENTS,
  TEST_RESULT,
  VERIFICATION_RESULT,
  Verdict,
} from "@drydock/protocol";
import { describe, expect, it } from "vitest";

// What programs outside this repository are written against. A change here is a change of the contract: make it on
// purpose, and say so in CHANGELOG.md.

describe("error codes", () => {
  it("keep their exit statuses", () => {
    expect(EXIT_STATUS).toEqual({
      "code.syntax": 1,
      "code.exception": 1,
      "code.exit": 1,
      "code.import_missing": 1,
      "code.crash": 1,
      "plan.invalid": 1,
      "model.failed": 1,
      "delivery.conflict": 1,
      "runner.failed": 1,
      "runner.no_output": 1,
      "runner.protocol": 1,
      "input.invalid": 2,
      "session.not_found": 2,
      "run.not_found": 2,
      "extension.invalid": 2,
      "extension.not_found": 2,
      "extension.conflict": 2,
      "approval.not_found": 2,
      "agent.not_found": 2,
      "conversation.not_found": 2,
      "event.not_found": 2,
      "source.not_found": 2,
      "run.ended": 2,
      "knowledge.not_found": 2,
      "policy.invalid": 3,
      "policy.conflict": 3,
      "policy.import_denied": 3,
      "policy.call_denied": 3,
      "policy.path_denied": 3,
      "policy.command_denied": 3,
      "policy.network_denied": 3,
      "policy.approval_denied": 3,
      "extension.disabled": 3,
      "extension.quarantined": 3,
      "limit.timeout": 4,
      "limit.cpu": 4,
      "limit.memory": 4,
      "limit.processes": 4,
      "limit.output": 4,
      "limit.disk": 4,
      "limit.files": 4,
      "limit.concurrency": 4,
      "limit.budget": 4,
      "limit.quota": 4,
      "runner.timeout": 4,
      "session.limit": 4,
      "session.task_limit": 4,
      "session.fork_refused": 4,
      "session.rollback_refused": 4,
      "sandbox.unavailable": 5,
      "sandbox.level": 5,
      "model.unavailable": 5,
      "upstream.unavailable": 5,
      "runner.unavailable": 5,
      "runner.channel_lost": 5,
      "extension.tool_missing": 5,
      internal: 70,
      "ledger.unavailable": 70,
      "run.cancelled": 130,
    });
  });

  it("keep their HTTP statuses", () => {
    expect(HTTP_STATUS).toEqual({
      "code.syntax": 422,
      "code.exception": 422,
      "code.exit": 422,
      "code.import_missing": 422,
      "code.crash": 422,
      "plan.invalid": 422,
      "model.failed": 424,
      "delivery.conflict": 409,
      "runner.failed": 424,
      "runner.no_output": 424,
      "runner.protocol": 424,
      "input.invalid": 400,
      "session.not_found": 404,
      "run.not_found": 404,
      "extension.invalid": 422,
      "extension.not_found": 404,
      "extension.conflict": 409,
      "approval.not_found": 404,
      "agent.not_found": 404,
      "conversation.not_found": 404,
      "event.not_found": 404,
      "source.not_found": 404,
      "run.ended": 409,
      "knowledge.not_found": 404,
      "policy.invalid": 403,
      "policy.conflict": 409,
      "policy.import_denied": 403,
      "policy.call_denied": 403,
      "policy.path_denied": 403,
      "policy.command_denied": 403,
      "policy.network_denied": 403,
      "policy.approval_denied": 403,
      "extension.disabled": 403,
      "extension.quarantined": 403,
      "limit.timeout": 422,
      "limit.cpu": 422,
      "limit.memory": 422,
      "limit.processes": 422,
      "limit.output": 422,
      "limit.disk": 422,
      "limit.files": 422,
      "limit.concurrency": 429,
      "limit.budget": 429,
      "limit.quota": 429,
      "runner.timeout": 424,
      "session.limit": 429,
      "session.task_limit": 429,
      "session.fork_refused": 409,
      "session.rollback_refused": 409,
      "sandbox.unavailable": 503,
      "sandbox.level": 503,
      "model.unavailable": 424,
      "upstream.unavailable": 424,
      "runner.unavailable": 424,
      "runner.channel_lost": 424,
      "extension.tool_missing": 424,
      internal: 500,
      "ledger.unavailable": 503,
      "run.cancelled": 409,
    });
  });

  it("are all listed", () => {
    expect([...ERROR_CODES].sort()).toEqual(Object.keys(EXIT_STATUS).sort());
  });
});

describe("events", () => {
  it("keep their names", () => {
    expect([...EVENT_TYPES].sort()).toEqual([
      "action.requested",
      "action.settled",
      "approval.decided",
      "approval.requested",
      "artifact.stored",
      "attempt.finished",
      "attempt.started",
      "check.finished",
      "checkpoint.failed",
      "checkpoint.restored",
      "checkpoint.taken",
      "code.edited",
      "code.executed",
      "events.folded",
      "host.called",
      "input.given",
      "input.requested",
      "layer.applied",
      "layer.captured",
      "layer.discarded",
      "layer.reverted",
      "message.sent",
      "model.answered",
      "model.asked",
      "model.called",
      "model.failed",
      "network.connected",
      "network.refused",
      "output.recorded",
      "permission.decided",
      "plan.accepted",
      "plan.proposed",
      "plan.refused",
      "repair.finished",
      "repair.progressed",
      "response.stored",
      "rework.requested",
      "run.cancelled",
      "run.claimed",
      "run.created",
      "run.failed",
      "run.followed",
      "run.interrupted",
      "run.lost",
      "run.paused",
      "run.queued",
      "run.resumed",
      "run.started",
      "run.succeeded",
      "runner.started",
      "runner.warned",
      "state.changed",
      "steering.dropped",
      "steering.injected",
      "steering.preempted",
      "steering.queued",
      "step.finished",
      "step.rolled_back",
      "task.added",
      "task.cancelled",
      "task.done",
      "task.failed",
      "task.reset",
      "task.stale",
      "task.started",
      "task.verified",
      "tool.finished",
      "tool.reported",
      "tree.verified",
      "upstream.requested",
    ]);
  });

  it("end a run in one of four ways", () => {
    expect([...TERMINAL_EVENTS].sort()).toEqual(["run.cancelled", "run.failed", "run.lost", "run.succeeded"]);
  });
});

describe("words that are stored or sent", () => {
  it("name the states of a run and its verdicts", () => {
    const open = ["queued", "running", "paused", "interrupted"];
    expect(RunStatus.options).toEqual([...open, "succeeded", "failed", "cancelled", "lost"]);
    expect(Verdict.options).toEqual(["passed", "failed", "unproven", "unverified"]);
    expect(GuardCode.options).toEqual(["changed", "input_changed", "takes_over", "too_weak", "unstable"]);
  });

  it("name the levels of containment, weakest last", () => {
    const known = ["cgroups", "rlimits", "landlock"];
    expect(SANDBOX_LEVELS.filter((level) => known.includes(level))).toEqual(known);
    expect(SandboxLevel.options).toEqual(SANDBOX_LEVELS);
  });

  it("name the backends that policies rely on", () => {
    expect(SandboxBackend.options).toEqual(expect.arrayContaining(["namespaces", "unconfined"]));
  });

  it("name the limits of a policy, with default and ceiling", () => {
    expect(mapLimits((_key, { default: usual, max }) => [usual, max])).toEqual({
      wallSeconds: [300, 3600],
      cpuSeconds: [300, 3600],
      memoryMb: [512, 4096],
      processes: [64, 512],
      outputMb: [8, 64],
      diskMb: [512, 4096],
      openFiles: [256, 4096],
      concurrency: [4, 32],
    });
  });
});

describe("receipts", () => {
  it("keep the names by which other tools know their parts", () => {
    expect({ IN_TOTO_PAYLOAD, STATEMENT_TYPE, TEST_RESULT, VERIFICATION_RESULT, RECEIPT_MEDIA }).toEqual({
      IN_TOTO_PAYLOAD: "application/vnd.in-toto+json",
      STATEMENT_TYPE: "https://in-toto.io/Statement/v1",
      TEST_RESULT: "https://in-toto.io/attestation/test-result/v0.1",
      VERIFICATION_RESULT: "https://in-toto.io/attestation/svr/v0.1",
      RECEIPT_MEDIA: "application/vnd.in-toto.bundle",
    });
    expect({ HEAD_PAYLOAD, RECORD_PAYLOAD }).toEqual({
      HEAD_PAYLOAD: "application/vnd.drydock.ledger-head+json",
      RECORD_PAYLOAD: "application/vnd.drydock.record+json",
    });
    expect(ReceiptPart.options).toEqual(["file", "payload", "signature", "key", "subject", "record"]);
  });
});
