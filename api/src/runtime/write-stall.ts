/** A caller that takes nothing of its answer for so long is gone. */
export const WRITE_STALL_MS = 60_000;
