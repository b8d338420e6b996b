import * as z from "zod";
import {
  IngestReport,
  KNOWLEDGE_LIMITS,
  KnowledgeBase,
  KnowledgeBaseDetail,
  KnowledgeFilters,
  KnowledgeName,
  KnowledgeResult,
} from "../host/knowledge.ts";
import { defineOperation } from "./operation.ts";

const tag = "knowledge";
const params = z.object({ name: KnowledgeName.describe("Name of the knowledge base.") });
const path = z.string().min(1).startsWith("/", "an absolute path is needed");

/** Sets of documents that can be searched. */
export const KNOWLEDGE = {
  listKnowledge: defineOperation({
    method: "get",
    path: "/knowledge",
    tag,
    client: "knowledge.list",
    summary: "All knowledge bases",
    description: "Lists the knowledge bases with their numbers of documents and passages.",
    scope: "read",
    response: z.object({ knowledge: z.array(KnowledgeBase).describe("The knowledge bases, by name.") }),
  }),
  showKnowledge: defineOperation({
    method: "get",
    path: "/knowledge/{name}",
    tag,
    client: "knowledge.show",
    summary: "A knowledge base with its documents",
    description:
      "Returns a knowledge base with the files and folders that were added, and its documents; those that could not be read come first.",
    scope: "read",
    params,
    query: z.strictObject({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe("Documents to list, 1 to 10,000. Default: 100."),
    }),
    response: KnowledgeBaseDetail,
  }),
  searchKnowledge: defineOperation({
    method: "post",
    path: "/knowledge/{name}/search",
    tag,
    client: "knowledge.search",
    summary: "Search the passages of a knowledge base",
    description:
      "Finds passages by the words of a query, and by their meaning where an embedding model is configured. Every sign of the query is literal. It changes nothing.",
    scope: "run",
    params,
    body: z.strictObject({
      query: z.string().min(1).max(KNOWLEDGE_LIMITS.queryChars).describe("Words, or a question."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(KNOWLEDGE_LIMITS.results)
        .optional()
        .describe("Passages to return, 1 to 100. Default: 5."),
      filters: KnowledgeFilters.optional().describe("Which documents to look at. Default: all."),
    }),
    response: KnowledgeResult,
  }),
  addKnowledge: defineOperation({
    method: "post",
    path: "/knowledge/{name}/documents",
    tag,
    client: "knowledge.add",
    summary: "Read files and folders of the server into a knowledge base",
    description:
      "Reads files and folders of the machine that the server runs on, and makes the knowledge base where there is none. What has not changed is not read again. A file that can't be read is listed in the answer; the others are added. Answers when all is read.",
    scope: "admin",
    params,
    body: z.strictObject({ paths: z.array(path).min(1).max(100).describe("Absolute paths of files and folders.") }),
    response: IngestReport,
  }),
  refreshKnowledge: defineOperation({
    method: "post",
    path: "/knowledge/{name}/refresh",
    tag,
    client: "knowledge.refresh",
    summary: "Read what has changed in the files of a knowledge base",
    description:
      "Reads new and changed files of a knowledge base again, and removes documents whose files are gone. Answers when all is read.",
    scope: "run",
    params,
    response: IngestReport,
  }),
  removeKnowledge: defineOperation({
    method: "delete",
    path: "/knowledge/{name}",
    tag,
    client: "knowledge.remove",
    summary: "Remove a knowledge base, or one of its files and folders",
    description:
      "Removes documents and their index. The files themselves stay. Agents that were granted it find nothing.",
    scope: "admin",
    params,
    query: z.strictObject({
      path: z.string().min(1).optional().describe("Only what was read from this file or folder. Default: all."),
    }),
    response: KnowledgeBase,
  }),
} as const;
