import * as z from "zod";
import { HostSource, NewSource, SourceChanges, SourceTest, SourceTypeInfo } from "../../host/index.ts";
import { defineOperation } from "../operation.ts";

const tag = "sources";
const SourceParams = z.object({ name: z.string().describe("Name of the source, as `GET /host/sources` lists it.") });

/** Where events come from, and answers go to. */
export const SOURCES = {
  listSourceTypes: defineOperation({
    method: "get",
    path: "/host/source-types",
    tag,
    client: "host.sources.types",
    summary: "Types of event sources",
    description: "Lists the types that sources can have, with the forms of their settings and the secrets they need.",
    scope: "read",
    response: z.object({ types: z.array(SourceTypeInfo).describe("The types, by name.") }),
  }),
  listSources: defineOperation({
    method: "get",
    path: "/host/sources",
    tag,
    client: "host.sources.list",
    summary: "Event sources with their status",
    description: "Lists the configured sources, with what is wrong with them. Secrets are named, and never shown.",
    scope: "read",
    response: z.object({ sources: z.array(HostSource).describe("The sources, by name.") }),
  }),
  getSource: defineOperation({
    method: "get",
    path: "/host/sources/{name}",
    tag,
    client: "host.sources.get",
    summary: "One event source",
    description: "Shows one source with its settings and its status.",
    scope: "read",
    params: SourceParams,
    response: HostSource,
  }),
  createSource: defineOperation({
    method: "post",
    path: "/host/sources",
    tag,
    client: "host.sources.create",
    summary: "Create an event source",
    description: "Creates a source. Where it is enabled, servers of this home start it at once.",
    scope: "admin",
    body: NewSource,
    status: 201,
    response: HostSource,
    idempotent: true,
  }),
  changeSource: defineOperation({
    method: "patch",
    path: "/host/sources/{name}",
    tag,
    client: "host.sources.change",
    summary: "Change, enable or disable an event source",
    description: "Changes what the request names; the rest stays. A source that runs is started again with it.",
    scope: "admin",
    params: SourceParams,
    body: SourceChanges,
    response: HostSource,
  }),
  removeSource: defineOperation({
    method: "delete",
    path: "/host/sources/{name}",
    tag,
    client: "host.sources.remove",
    summary: "Remove an event source",
    description: "Stops a source and removes it with what it kept. Its events and conversations stay on record.",
    scope: "admin",
    params: SourceParams,
    response: HostSource,
  }),
  testSource: defineOperation({
    method: "post",
    path: "/host/sources/{name}/test",
    tag,
    client: "host.sources.test",
    summary: "Try an event source",
    description: "Does what the type has for a trial: asks the platform who it is, or fires a schedule once.",
    scope: "admin",
    params: SourceParams,
    response: SourceTest,
  }),
} as const;
