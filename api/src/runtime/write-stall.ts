/** A caller that reads nothing of its response for this long is treated as disconnected. */
export const WRITE_STALL_MS = 60_000;
