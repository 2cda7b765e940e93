/** Every limit of a request body. docs/operations.md lists them, and a test compares the two. */
export const BODY_LIMITS = {
  /** The largest body, in bytes. */
  maxBytes: 32 * 1024 * 1024,
  /** Levels of objects and lists, the body itself included. Rust's serde_json refuses 128. */
  maxDepth: 101,
  /** Objects, lists, texts, numbers and words of the whole body. An embeddings request may hold 300,000 tokens. */
  maxValues: 500_000,
  /** Members of all its objects. */
  maxMembers: 100_000,
  /**
   * Values outside of the messages of a body that is parsed in a thread: more would take the event loop too long to
   * receive. Hundreds of tools have some ten thousand.
   */
  maxMemberValues: 50_000,
  /**
   * The tokens of a larger body are not counted: reading it for that takes the event loop too long. An admission keeps the
   * upper bound from the size of the body, and a token count is answered by its size. In bytes.
   */
  maxCountedBytes: 4 * 1024 * 1024,
  /**
   * Smaller bodies are parsed on the event loop: in less than a millisecond mostly, in some thirty at worst (thousands of
   * members). In bytes.
   */
  maxOnLoopBytes: 128 * 1024,
};
