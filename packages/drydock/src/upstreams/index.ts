export { describeRuleProblem } from "./match-rule.ts";
export { openUpstreams } from "./open-upstreams.ts";
export { findPreset, PRESETS } from "./presets.ts";
export { createSender, type Sender } from "./send-request.ts";
export { testUpstream } from "./test-upstream.ts";
export type { Upstream } from "./upstream.ts";
