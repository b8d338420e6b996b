export { putFile } from "./put-file.ts";
