/** Maximum logged bytes of a payload; the rest is cut off. */
export const KEPT_BODY_BYTES = 256 * 1024;
