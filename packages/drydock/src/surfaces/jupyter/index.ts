export { installKernel, type KernelPlace, type KernelSpec, uninstallKernel } from "./kernel-spec.ts";
export { serveKernel } from "./serve-kernel.ts";
