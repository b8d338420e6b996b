import { loadLater } from "../base/lazy/index.ts";
import type { ApprovalStore } from "./approvals/approval-store.ts";
import type { CapabilityStore } from "./capabilities/capability-store.ts";
import type { Claims } from "./claims/claim-store.ts";
import type { Artifacts } from "./content/artifacts.ts";
import type { ContentStore } from "./content/content-store.ts";
import type { LedgerContext } from "./ledger-context.ts";
import type { ProfileStore } from "./profiles/profile-store.ts";
import type { ResponseStore } from "./responses/response-store.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { KeyStore } from "./signing/key-store.ts";
import type { Backlog } from "./tasks/backlog.ts";

/** Parts of the ledger that most commands do not use. Each is loaded with the first call of one of its methods. */
export interface Stores {
  profiles: ProfileStore;
  backlog: Backlog;
  capabilities: CapabilityStore;
  approvals: ApprovalStore;
  responses: ResponseStore;
  sessions: SessionStore;
  keys: KeyStore;
  claims: Claims;
}

export function openStores(context: LedgerContext, content: { artifacts: Artifacts; content: ContentStore }): Stores {
  return {
    profiles: openProfiles(context),
    backlog: openBacklog(context),
    capabilities: openCapabilities(context),
    approvals: openApprovals(context),
    responses: openResponses(context, content),
    sessions: openSessions(context),
    keys: openKeys(context),
    claims: openClaims(context),
  };
}

function openProfiles(context: LedgerContext): ProfileStore {
  const later = loadLater(async () => (await import("./profiles/profile-store.ts")).createProfileStore(context));
  return {
    read: later((store) => store.read),
    pending: later((store) => store.pending),
    propose: later((store) => store.propose),
    decide: later((store) => store.decide),
    failedChecks: later((store) => store.failedChecks),
  };
}

function openBacklog(context: LedgerContext): Backlog {
  const later = loadLater(async () => (await import("./tasks/backlog.ts")).createBacklog(context));
  return {
    add: later((store) => store.add),
    list: later((store) => store.list),
    move: later((store) => store.move),
  };
}

function openCapabilities(context: LedgerContext): CapabilityStore {
  const later = loadLater(async () =>
    (await import("./capabilities/capability-store.ts")).createCapabilityStore(context),
  );
  return {
    list: later((store) => store.list),
    admit: later((store) => store.admit),
    use: later((store) => store.use),
  };
}

function openApprovals(context: LedgerContext): ApprovalStore {
  const later = loadLater(async () => (await import("./approvals/approval-store.ts")).createApprovalStore(context));
  return {
    request: later((store) => store.request),
    decide: later((store) => store.decide),
    get: later((store) => store.get),
    list: later((store) => store.list),
  };
}

function openResponses(
  context: LedgerContext,
  content: { artifacts: Artifacts; content: ContentStore },
): ResponseStore {
  const later = loadLater(async () =>
    (await import("./responses/response-store.ts")).createResponseStore(context, content),
  );
  return {
    stage: later((store) => store.stage),
    last: later((store) => store.last),
    history: later((store) => store.history),
    read: later((store) => store.read),
    totals: later((store) => store.totals),
    clear: later((store) => store.clear),
    expire: later((store) => store.expire),
  };
}

function openSessions(context: LedgerContext): SessionStore {
  const later = loadLater(async () => (await import("./sessions/session-store.ts")).createSessionStore(context));
  return {
    open: later((store) => store.open),
    countStep: later((store) => store.countStep),
    close: later((store) => store.close),
    find: later((store) => store.find),
    figures: later((store) => store.figures),
  };
}

function openKeys(context: LedgerContext): KeyStore {
  const later = loadLater(async () => (await import("./signing/open-keys.ts")).openKeys(context));
  return {
    current: later((store) => store.current),
    list: later((store) => store.list),
    rotate: later((store) => store.rotate),
  };
}

function openClaims(context: LedgerContext): Claims {
  const later = loadLater(async () => (await import("./claims/claim-store.ts")).createClaims(context));
  return {
    queueRun: later((store) => store.queueRun),
    queueAgain: later((store) => store.queueAgain),
    claim: later((store) => store.claim),
    drop: (runId) => void context.claims.delete(runId),
  };
}
