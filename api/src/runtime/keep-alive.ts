/** How long an idle connection stays open, as responses announce. */
export const KEEP_ALIVE_MS = 75_000;
/** In addition, because a caller may be sending just then. */
export const KEEP_ALIVE_BUFFER_MS = 1_000;
