export { loadLater } from "./load-later.ts";
