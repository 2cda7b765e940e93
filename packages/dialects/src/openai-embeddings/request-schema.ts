import { z } from 'zod';
import { listSchema } from '../json/list-schema.ts';

const MAX_INPUTS = 2_048;
const MAX_DIMENSIONS = 65_536;

const someInputs = z
  .array(z.unknown())
  .min(1, 'must contain at least one entry')
  .max(MAX_INPUTS, `must hold at most ${MAX_INPUTS} entries`);
const someTokens = z.array(z.unknown()).min(1, 'must contain at least one token');

const text = z.string().min(1, 'must not be empty');
const texts = listSchema(text, someInputs);
const tokens = listSchema(z.int().min(0), someTokens);
const tokenLists = listSchema(tokens, someInputs);

const settingsSchema = z.looseObject({
  model: z.string().min(1),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(MAX_DIMENSIONS).nullish(),
  user: z.string().nullish(),
});

/** The body of `POST /v1/embeddings` (https://platform.openai.com/docs/api-reference/embeddings/create). */
export const openAiEmbeddingsRequestSchema = settingsSchema.extend({
  input: z
    .union([text, texts, tokens, tokenLists])
    .meta({ description: `Token ids are those of the model’s tokenizer. At most ${MAX_INPUTS} inputs.` }),
});

const TEXT = settingsSchema.extend({ input: text });
const TEXTS = settingsSchema.extend({ input: texts });
const TOKENS = settingsSchema.extend({ input: tokens });
const TOKEN_LISTS = settingsSchema.extend({ input: tokenLists });
const ANY = settingsSchema.extend({
  input: z.custom<never>(
    () => false,
    'must be a text, a list of texts, a list of tokens, or a list of such lists',
  ),
});

/** The form of the body that an input is meant to have, so that its errors are named in terms of that form. */
export function embeddingsSchemaFor(input: unknown) {
  if (typeof input === 'string') return TEXT;
  if (!Array.isArray(input)) return ANY;
  const first: unknown = input[0];
  if (typeof first === 'number') return TOKENS;
  return Array.isArray(first) ? TOKEN_LISTS : TEXTS;
}
