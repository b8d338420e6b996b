export { analyzeResponse } from "./analyze-response.ts";
export { analyzeSchema } from "./analyze-schema.ts";
