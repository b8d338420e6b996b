import { HostAgent, HostEvent } from "@drydock/protocol";
import { RunnerManifest } from "@drydock/protocol/runner";
import { expect, it } from "vitest";
import { takeSnapshot } from "./snapshot.ts";

const ALL = {
  models: ["invoke", "stream"],
  history: ["page", "search"],
  events: ["get", "page"],
  artifacts: ["metadata", "read"],
  storage: ["plugin", "workspace"],
};
const manifestWith = (permissions: object, capabilities: object = { steering: true }) =>
  RunnerManifest.parse({ id: "plugin:a/b/c", name: "c", label: { en: "C" }, permissions, capabilities });
const agentWith = (grants: object) =>
  HostAgent.parse({ name: "x", runner: "plugin:a/b/c", grants, id: "agt_1", createdAt: "", changedAt: "" });
const EVENT = HostEvent.parse({
  type: "message.received",
  conversation: { conversation_id: "c", workspace_id: "w" },
  actor: { actor_type: "user", actor_id: "ann" },
});
const GRANTS = { models: ["m"], workspaceStorage: true, stateScopes: ["conversation", "actor", "subject", "runner"] };

const take = (permissions: object, grants: object, event = EVENT) =>
  takeSnapshot({ manifest: manifestWith(permissions), plugin: "a/b", agent: agentWith(grants), event, knowledge: [] });

it("grants what is asked for, granted and in scope", () => {
  const { apis, resources, stateScopes } = take(ALL, GRANTS);
  expect(Object.values(apis).every(Boolean)).toBe(true);
  expect(resources.models).toEqual([{ model_id: "m", operations: ["invoke", "stream"] }]);
  // The event has no subject.
  expect(stateScopes).toEqual(["conversation", "actor", "runner"]);
});

it("grants nothing that the runner did not ask for", () => {
  const { apis, resources } = take({}, GRANTS);
  expect(apis).toMatchObject({ history_page: false, event_get: false, artifact_read: false, storage: false });
  expect(resources.models).toEqual([]);
});

it("grants nothing that the agent does not", () => {
  const none = { history: false, events: false, artifacts: false, pluginStorage: false, stateScopes: [] };
  const { apis, resources } = take(ALL, none);
  expect(apis).toMatchObject({
    history_page: false,
    event_get: false,
    artifact_read: false,
    storage: false,
    state: false,
  });
  expect(resources.models).toEqual([]);
});

it("grants nothing of a conversation to an event that belongs to none", () => {
  const { apis, stateScopes } = take(ALL, GRANTS, HostEvent.parse({ type: "schedule.fired" }));
  expect(apis).toMatchObject({ history_page: false, event_page: false, steering_pull: false, event_get: true });
  expect(stateScopes).toEqual(["runner"]);
});
