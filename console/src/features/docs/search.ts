import { z } from 'zod';

export const DOC_TOPICS = ['quickstart', 'errors', 'limits', 'reference'] as const;
export type DocTopic = (typeof DOC_TOPICS)[number];

export const SDKS = [
  'openai-python',
  'openai-typescript',
  'anthropic-python',
  'anthropic-typescript',
  'curl',
] as const;
export type Sdk = (typeof SDKS)[number];

/** Open docs topic in the URL; defaults are omitted. */
export const docsSearchSchema = z.object({
  topic: z.enum(DOC_TOPICS).optional().catch(undefined),
  sdk: z.enum(SDKS).optional().catch(undefined),
});
