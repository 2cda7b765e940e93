import { describeRecordings, loadRecordingsOf } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { schemaOf } from './document-schemas.fixture.ts';

const recordings = loadRecordingsOf(['openai-chat', 'anthropic-messages', 'openai-responses']);
process.stdout.write(`${describeRecordings(recordings)}\n`);

const DIALECTS = [
  {
    dialect: 'openai-chat',
    whole: schemaOf('ChatCompletion'),
    event: schemaOf('ChatCompletionChunk'),
    error: schemaOf('OpenAiError'),
  },
  {
    dialect: 'anthropic-messages',
    whole: schemaOf('Message'),
    event: schemaOf('MessageStreamEvent'),
    error: schemaOf('AnthropicError'),
  },
  {
    dialect: 'openai-responses',
    whole: schemaOf('Response'),
    event: schemaOf('ResponseStreamEvent'),
    error: schemaOf('OpenAiError'),
  },
];

function eventsOf(body: string): unknown[] {
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
      for (const data of eventsOf(responseBody.toString())) {
        // An error replaces an event.
        if (error(data)) continue;
        event(data);
        expect([name, data, event.errors]).toEqual([name, data, null]);
      }
    }
  });
});
