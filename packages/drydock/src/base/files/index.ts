export { makeDirectories } from "./make-directories.ts";
export { putFile } from "./put-file.ts";
export { createBeneath, replaceBeneath } from "./write-beneath.ts";
