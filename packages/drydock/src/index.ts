export {
  type ArtifactRef,
  type AuditReport,
  type Change,
  DrydockError,
  type ErrorCode,
  type ErrorInfo,
  EXIT_STATUS,
  type ExecResult,
  type PolicyDocument,
  type Run,
  type RunEvent,
  type SessionInfo,
} from "@drydock/protocol";
export {
  createDock,
  type Dock,
  type DockOptions,
  type DoctorReport,
  type ExecOptions,
  type Session,
  type SessionOptions,
  type StepResult,
} from "./app/index.ts";
