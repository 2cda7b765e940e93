/** Wire formats that the API uses with callers and providers. */
export type Dialect = 'openai-chat' | 'anthropic-messages' | 'openai-responses';
