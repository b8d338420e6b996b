export { installKernel, uninstallKernel } from "./kernel-spec.ts";
export { serveKernel } from "./serve-kernel.ts";
