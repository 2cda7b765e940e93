import { z } from 'zod';

/** How a request is written: as OpenAI's chat completions or as Anthropic's messages. */
export const DIALECTS = ['openai', 'anthropic'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Models that are compared with the first one, at most. */
export const MOST_COMPARED = 2;

/** The settings of a playground, which its URL contains. */
export const playgroundSearchSchema = z.object({
  model: z.coerce.string().max(200).optional().catch(undefined),
  compare: z.array(z.string().max(200)).max(MOST_COMPARED).optional().catch(undefined),
  dialect: z.enum(DIALECTS).optional().catch(undefined),
  temperature: z.number().min(0).max(2).optional().catch(undefined),
  max: z.int().min(1).max(1_000_000).optional().catch(undefined),
});

export type PlaygroundSearch = z.infer<typeof playgroundSearchSchema>;
