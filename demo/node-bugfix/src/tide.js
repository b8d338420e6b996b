import { median } from "./median.js";

/** Heights of high water in centimetres, as one line for people. */
export function describeTide(port, heights) {
  const highest = Math.max(...heights);
  return `${port}: usually ${median(heights)} cm, at most ${highest} cm`;
}
