/**
 * Kinds of objects that a provider stores in the operator's account. All accounts of the gateway share them, so an id in a
 * request may belong to another account.
 */
export const STORED_KINDS = {
  file: 'uploaded files',
  container: 'containers of code execution',
  vector_store: 'vector stores and collections of documents',
  conversation: 'conversations, threads and responses',
  prompt: 'stored prompts',
  cached_content: 'stored prompt caches',
  connector: 'connectors and stored MCP servers',
  skill: 'custom skills',
  profile: 'profiles of end users',
  media: 'generated audio and images, and custom voices',
  address: 'addresses that only the provider can reach',
} as const;

export type StoredKind = keyof typeof STORED_KINDS;

/** Kinds that exist before a conversation names them, not because of one of its responses. */
export const UPLOADED_KINDS: ReadonlySet<StoredKind> = new Set([
  'file',
  'vector_store',
  'prompt',
  'cached_content',
  'connector',
  'skill',
  'profile',
]);

/** Members that contain such an id, or a list of ids, anywhere in a request. */
export const STORED_ID_MEMBERS: Readonly<Record<string, StoredKind>> = {
  file_id: 'file',
  file_ids: 'file',
  document_ids: 'file',
  container_id: 'container',
  vector_store_id: 'vector_store',
  vector_store_ids: 'vector_store',
  collection_id: 'vector_store',
  collection_ids: 'vector_store',
  library_id: 'vector_store',
  library_ids: 'vector_store',
  conversation_id: 'conversation',
  thread_id: 'conversation',
  assistant_id: 'conversation',
  previous_response_id: 'conversation',
  prompt_id: 'prompt',
  cached_content: 'cached_content',
  cachedContent: 'cached_content',
  connector_id: 'connector',
  connection_id: 'connector',
  mcp_server_id: 'connector',
  skill_id: 'skill',
  user_profile_id: 'profile',
  voice_id: 'media',
  image_id: 'media',
  audio_id: 'media',
};

/** Members that contain an object whose `id` is such an id, or the id itself. */
export const STORED_OBJECTS: Readonly<Record<string, StoredKind>> = {
  container: 'container',
  voice: 'media',
};

/** An id that a request names. */
export interface StoredId {
  kind: StoredKind;
  /** Its path, such as `input.0.content.1.file_id`. */
  param: string;
}

/** The name with which an operator allows a kind, such as `stored.file`. */
export const allowedName = (kind: StoredKind): string => `stored.${kind}`;
