export { checkShape } from "./check-shape.ts";
export { isPlainAddress, isPlainSchema } from "./is-plain-schema.ts";
export { isTooDeep, MAX_LEVELS } from "./is-too-deep.ts";
export type { SchemaAnswer, SchemaRequest } from "./schema-request.ts";
export { validateJson } from "./validate-json.ts";
