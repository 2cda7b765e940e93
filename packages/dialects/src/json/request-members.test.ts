import { z } from 'zod';
import { expect, it } from 'vitest';
import { anthropicRequestSchema } from '../anthropic-messages/request-schema.ts';
import { openAiChatRequestSchema } from '../openai-chat/request-schema.ts';
import { openAiEmbeddingsRequestSchema } from '../openai-embeddings/request-schema.ts';
import { openAiResponsesRequestSchema } from '../openai-responses/request-schema.ts';
import { foldNameLoosely } from './fold-name.ts';
import { listEntries } from './list-schema.ts';
import { asObject } from './parse-object.ts';
import { KNOWN_MEMBERS } from './request-members.ts';

/** Every property that a JSON Schema names, at any depth. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  const object = asObject(schema);
  if (object === null) return [];
  const properties = asObject(object['properties']) ?? {};
  return [
    ...Object.keys(properties),
    ...Object.values(object).flatMap(namesIn),
    ...Object.values(properties).flatMap(namesIn),
  ];
}

const getJsonSchema = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const entry = listEntries.get(zodSchema);
      if (entry !== undefined) jsonSchema.items = asObject(getJsonSchema(entry)) ?? {};
    },
  });

it.each([
  ['chat completions', openAiChatRequestSchema],
  ['messages', anthropicRequestSchema],
  ['responses', openAiResponsesRequestSchema],
  ['embeddings', openAiEmbeddingsRequestSchema],
])('lists every member that the schema of %s names', (_name, schema) => {
  const known = new Set(KNOWN_MEMBERS.map(({ name }) => name));
  const names = namesIn(getJsonSchema(schema));
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it('holds lower-case names that stay apart without underscores', () => {
  expect(KNOWN_MEMBERS.filter(({ name }) => !/^[a-z0-9_]+$/.test(name))).toEqual([]);
  expect(new Set(KNOWN_MEMBERS.map(({ name }) => foldNameLoosely(name))).size).toBe(KNOWN_MEMBERS.length);
});
