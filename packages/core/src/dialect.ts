/** The wire formats that the api speaks to its callers and to providers. */
export const DIALECTS = ['openai-chat', 'anthropic-messages'] as const;
export type Dialect = (typeof DIALECTS)[number];
