/** Limits of a request body. A test compares them with docs/operations.md. */
export const BODY_LIMITS = {
  /** Maximum size in bytes. */
  maxBytes: 32 * 1024 * 1024,
  /** Nesting depth, including the body itself. Rust's serde_json refuses 128. */
  maxDepth: 101,
  /** Number of JSON values in the body. An embeddings request may have 300,000 tokens. */
  maxValues: 500_000,
  /** Number of object members in the body. */
  maxMembers: 100_000,
  /**
   * Values outside of messages in a body parsed in a worker thread. More would block the event loop too long
   * on transfer. Hundreds of tools have about ten thousand.
   */
  maxMemberValues: 20_000,
  /**
   * Members of the body itself besides its conversation, not of objects in it, in a body parsed in a worker thread. Request
   * contracts allow about a hundred unknown ones, but 8,000 names took the event loop 30 ms.
   */
  maxBodyMembers: 1_000,
  /**
   * Characters of the names of all members outside of messages in a body parsed in a worker thread, in total. 26 MB of long
   * names took the event loop 350 ms. Hundreds of tools have about a hundred thousand.
   */
  maxNameCharacters: 400_000,
  /** Values and names in the arguments of all tool calls, if the body is translated. */
  maxArgumentValues: 100_000,
  /**
   * Size in bytes above which tokens are not counted, because that blocks the event loop too long. Admission then
   * uses the upper bound from the body size, and a token count is estimated from the size.
   */
  maxCountedBytes: 4 * 1024 * 1024,
  /** Size in bytes up to which a body is checked on the event loop, in at most 2 ms. */
  maxOutlinedBytes: 1024 * 1024,
  /** Members and values of a body whose outline is parsed on the event loop, in at most 2 ms. */
  maxOutlinedMembers: 8_000,
  maxOutlinedValues: 16_000,
  /** Size in bytes below which bodies are parsed on the event loop, mostly in less than 1 ms. */
  maxOnLoopBytes: 128 * 1024,
  /**
   * Number of object members of a body parsed or translated on the event loop. Names outside of ASCII are compared as text, 1,000 of them in
   * 3 ms, and one key that repeats such a request would keep others waiting.
   */
  maxOnLoopMembers: 1_000,
  /**
   * Number of commas in a body parsed on the event loop, which bounds the entries of its lists: 64,000 numbers take 40 ms.
   */
  maxOnLoopValues: 6_000,
  /** The same size for a body with ids that may carry items: 120 KB of them take 2 ms. */
  maxOnLoopBytesWithItems: 16 * 1024,
};
