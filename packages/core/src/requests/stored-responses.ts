/** Limits of stored responses. A test compares them with docs/operations.md. */
export const STORED_LIMITS = {
  /** Largest response that is stored, in bytes; its input is limited by the request body. */
  maxResponseBytes: 8 * 1024 * 1024,
  /** Stored responses of one account … */
  maxResponses: 50_000,
  /** … and their bytes, compressed. */
  maxAccountBytes: 1024 * 1024 * 1024,
};
