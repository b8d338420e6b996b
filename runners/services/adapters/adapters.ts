import type { Service } from "../service.ts";
import { coze } from "./coze.ts";
import { dashscope } from "./dashscope.ts";
import { deerflow } from "./deerflow.ts";
import { dify } from "./dify.ts";
import { langflow } from "./langflow.ts";
import { litellmAgentPlatform } from "./litellm-agent-platform.ts";
import { n8n } from "./n8n.ts";
import { tbox } from "./tbox.ts";
import { weknora } from "./weknora.ts";

export const ADAPTERS: readonly Service[] = [
  ...[dify, n8n, langflow, coze, dashscope, tbox, deerflow, weknora, litellmAgentPlatform],
];
