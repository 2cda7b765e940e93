import { z } from 'zod';
import { listSchema } from '../json/list-schema.ts';

/**
 * The content blocks of a request (https://docs.anthropic.com/en/api/messages). Members that are not listed pass; blocks
 * that no other dialect has are not read.
 */
const cacheControlSchema = z
  .looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() })
  .nullish();

/**
 * Blocks of the provider's own tools, and of features that only it has: any type without a schema below. A type with one is an
 * error in a place where it does not belong.
 */
const opaqueBlockSchema = z
  .looseObject({
    type: z
      .string()
      .regex(
        /^(?!(?:text|image|document|tool_result|tool_use|thinking|redacted_thinking)$)[\s\S]/,
        'must not be a block of another place',
      ),
  })
  .transform((block) => ({ type: 'opaque' as const, block }));

const textBlockSchema = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: cacheControlSchema,
  citations: listSchema(z.looseObject({ type: z.string() })).nullish(),
});

const base64Source = z.looseObject({
  type: z.literal('base64'),
  media_type: z.string(),
  data: z.string(),
});
const urlSource = z.looseObject({ type: z.literal('url'), url: z.string() });
const fileSource = z.looseObject({ type: z.literal('file'), file_id: z.string() });

const imageBlockSchema = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [base64Source, urlSource, fileSource]),
  cache_control: cacheControlSchema,
});
export type ImageBlock = z.infer<typeof imageBlockSchema>;

const documentBlockSchema = z.looseObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    base64Source,
    urlSource,
    fileSource,
    z.looseObject({ type: z.literal('text'), data: z.string() }),
    z.looseObject({ type: z.literal('content'), content: z.union([z.string(), z.array(z.unknown())]) }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.looseObject({ enabled: z.boolean().optional() }).nullish(),
  cache_control: cacheControlSchema,
});
export type DocumentBlock = z.infer<typeof documentBlockSchema>;

const resultBlockSchema = z.union([
  z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema, documentBlockSchema]),
  opaqueBlockSchema,
]);
export type ResultBlock = z.infer<typeof resultBlockSchema>;

const toolResultBlockSchema = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), listSchema(resultBlockSchema)]).nullish(),
  is_error: z.boolean().nullish(),
  cache_control: cacheControlSchema,
});
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

const userBlockSchema = z.union([
  z.discriminatedUnion('type', [
    textBlockSchema,
    imageBlockSchema,
    documentBlockSchema,
    toolResultBlockSchema,
  ]),
  opaqueBlockSchema,
]);

const assistantBlockSchema = z.union([
  z.discriminatedUnion('type', [
    textBlockSchema,
    z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().nullish() }),
    z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
    z.looseObject({
      type: z.literal('tool_use'),
      id: z.string(),
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
      cache_control: cacheControlSchema,
    }),
  ]),
  opaqueBlockSchema,
]);

export const systemSchema = z.union([z.string(), listSchema(textBlockSchema)]);

export const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), listSchema(userBlockSchema)]) }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), listSchema(assistantBlockSchema)]),
  }),
  z.looseObject({ role: z.literal('system'), content: systemSchema }),
]);
export type WireMessage = z.infer<typeof messageSchema>;
