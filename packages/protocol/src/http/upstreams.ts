import * as z from "zod";
import { TestedUpstream, UpstreamInfo } from "../config.ts";
import { defineOperation } from "./operation.ts";

/** Adding one is left to the owner at the machine: it decides where a key of the machine is sent. */
export const UPSTREAMS = {
  listUpstreams: defineOperation({
    method: "get",
    path: "/upstreams",
    tag: "upstreams",
    client: "upstreams.list",
    summary: "The upstreams that runs can use without their keys",
    description:
      "Lists the upstreams of config.yaml: address, rules, budget, and whether a key is there. Keys are never shown.",
    scope: "read",
    response: z.object({ upstreams: z.array(UpstreamInfo).describe("In the order of config.yaml.") }),
  }),
  testUpstream: defineOperation({
    method: "post",
    path: "/upstreams/{name}/test",
    tag: "upstreams",
    client: "upstreams.test",
    summary: "Ask an upstream whether it takes its key",
    description: "Sends one request that costs nothing to the upstream, with its key, and says what it answered.",
    scope: "admin",
    params: z.object({ name: z.string().describe("Name of the upstream in config.yaml.") }),
    response: TestedUpstream,
  }),
} as const;
