import { Buffer } from 'node:buffer';
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
import { scanBody } from './scan-body.ts';

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

it.each(
  (
    'tool tools definition content output source file environment input_file file_id container_id image_id connector_id ' +
    'url uri file_url file_uri image_url image_uri audio_url audio_uri video_url video_uri document_url media_url gcs_uri ' +
    'data file_data image_data audio_data video_data inline_data input_audio image audio video document media bytes'
  ).split(' '),
)('%s has one spelling in the parts of a conversation', (name) => {
  const spelled = name.charAt(0).toUpperCase() + name.slice(1);
  const part = { type: 'some_part', content: [{ type: 'inner', [spelled]: 'x' }] };
  const body = { model: 'm', messages: [{ role: 'user', content: [part] }] };
  expect(scanBody(Buffer.from(JSON.stringify(body)))?.message).toContain(spelled);
});
