/** Limits of stored responses. A test compares them with docs/operations.md. */
export const STORED_LIMITS = {
  /** Largest response that is stored, in bytes; its input is limited by the request body. */
  maxResponseBytes: 8 * 1024 * 1024,
  /** Stored responses and conversations of one account … */
  maxResponses: 50_000,
  /** … and their bytes, compressed. */
  maxAccountBytes: 1024 * 1024 * 1024,
};

/** Limits of conversations. A test compares them with docs/operations.md. */
export const CONVERSATION_LIMITS = {
  /** Items that one request may add to a conversation itself, as at OpenAI. */
  maxItemsAtOnce: 20,
  /** How often items may be added to one conversation. */
  maxParts: 10_000,
  /** Entries of `metadata`, and the characters of a key and of a value, as at OpenAI. */
  maxMetadata: 16,
  maxMetadataKey: 64,
  maxMetadataValue: 512,
};
