import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { getSchema } from './document-schemas.fixture.ts';

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);
process.stdout.write(`${describeRecordings(recordings)}\n`);

const DIALECTS = [
  {
    dialect: 'openai-chat',
    whole: getSchema('ChatCompletion'),
    event: getSchema('ChatCompletionChunk'),
    error: getSchema('OpenAiError'),
  },
  {
    dialect: 'anthropic-messages',
    whole: getSchema('Message'),
    event: getSchema('MessageStreamEvent'),
    error: getSchema('AnthropicError'),
  },
  {
    dialect: 'openai-responses',
    whole: getSchema('Response'),
    event: getSchema('ResponseStreamEvent'),
    error: getSchema('OpenAiError'),
  },
];

function getEvents(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line): unknown => JSON.parse(line.slice('data:'.length)));
}

describe.each(DIALECTS)('the response schemas of $dialect', ({ dialect, whole, event, error }) => {
  // Only the vendors' own traffic: other providers of the same dialect are relayed unchanged.
  const answered = recordings.cases.filter(
    (found) =>
      found.dialect === dialect && /^(?:openai|anthropic)\//.test(found.name) && found.status === 200,
  );

  it('holds for whole responses', () => {
    for (const { name, responseBody } of answered.filter((found) => !found.isStream)) {
      whole(JSON.parse(responseBody.toString()));
      expect([name, whole.errors]).toEqual([name, null]);
    }
  });

  it('holds for every event of a stream', () => {
    for (const { name, responseBody } of answered.filter((found) => found.isStream)) {
      for (const data of getEvents(responseBody.toString())) {
        // An error replaces an event.
        if (error(data)) continue;
        event(data);
        expect([name, data, event.errors]).toEqual([name, data, null]);
      }
    }
  });
});
