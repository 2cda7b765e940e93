/** The wire formats that the api speaks to its callers and to providers. */
export type Dialect = 'openai-chat' | 'anthropic-messages' | 'openai-responses';
