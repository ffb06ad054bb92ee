// The monotonic clock in nanoseconds, in which samples are kept, and absolute deadlines by it.
import { setTimeout as sleep } from "node:timers/promises";

export const NS_PER_US = 1e3;
export const NS_PER_MS = 1e6;
export const NS_PER_S = 1e9;

export const now = () => performance.now() * NS_PER_MS;

/** Sleeps until a deadline. A timer counts whole milliseconds, so that what is left is rounded up. */
export function sleepUntil(deadline) {
  return sleep(Math.max(0, Math.ceil((deadline - now()) / NS_PER_MS)));
}
