import { decodeAnthropicRequest } from '@tollgate/dialects/anthropic-messages/decode-request';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import { decodeOpenAiChatRequest } from '@tollgate/dialects/openai-chat/decode-request';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import { approvesStoredCall, isStoredItem } from '@tollgate/dialects/openai-responses/stored-item';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { decodeOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/decode-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import { describeRecordings, loadRecordingsOf } from '@tollgate/testing/recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaOf } from './document-schemas.fixture.ts';
import { arbitraryMutant } from './mutate-json.fixture.ts';
import { ANTHROPIC_BODIES, OPENAI_BODIES, RESPONSES_BODIES } from './request-bodies.fixture.ts';

const recordings = loadRecordingsOf(['openai-chat', 'anthropic-messages', 'openai-responses']);
process.stdout.write(`${describeRecordings(recordings)}\n`);

/** What is described of a request, and what reads it when it is translated and when it is relayed. */
const DIALECTS = [
  {
    dialect: 'openai-chat',
    schema: schemaOf('ChatCompletionRequest'),
    decode: decodeOpenAiChatRequest,
    parse: parseOpenAiChatRequest,
    bodies: OPENAI_BODIES,
  },
  {
    dialect: 'anthropic-messages',
    schema: schemaOf('MessageRequest'),
    decode: decodeAnthropicRequest,
    parse: parseAnthropicMessagesRequest,
    bodies: ANTHROPIC_BODIES,
  },
  {
    dialect: 'openai-responses',
    schema: schemaOf('ResponseRequest'),
    decode: decodeOpenAiResponsesRequest,
    parse: parseOpenAiResponsesRequest,
    bodies: RESPONSES_BODIES,
  },
];

const RUNS = 600;

/** An item that only names what the provider keeps is refused, whatever its shape. */
function namesStoredItem({ input }: JsonObject): boolean {
  if (!Array.isArray(input)) return false;
  return input.some((each) => {
    const item = asObject(each);
    return item !== null && (isStoredItem(item) || approvesStoredCall(item, input));
  });
}

describe.each(DIALECTS)('the described request of $dialect', ({ dialect, schema, decode, parse, bodies }) => {
  /** What the description says of a body, and what becomes of it. */
  function judge(body: JsonObject) {
    const isDescribed = schema(body) && !namesStoredItem(body);
    const decoded = decode(body);
    const told = decoded.ok ? 'taken' : decoded.error.message;
    // Relaying asks for less than translating, never for more.
    const isRelayed = !isDescribed || parse(JSON.stringify(body)).ok;
    return { verdict: { isDecoded: decoded.ok, isRelayed, told, body }, isDescribed };
  }

  it('is what the decoder takes, over recorded traffic', () => {
    const sent = recordings.cases.flatMap((found) =>
      found.dialect === dialect ? (found.request ?? []) : [],
    );
    // The project's own fixtures have none of the Responses API.
    if (recordings.source === 'recordings') expect(sent.length).toBeGreaterThan(3);
    for (const { json } of sent) {
      const { verdict, isDescribed } = judge(json);
      expect(verdict).toMatchObject({ isDecoded: isDescribed, isRelayed: true });
    }
  });

  it.each(bodies)('is what the decoder takes: $name', ({ body }) => {
    expect(judge(body)).toMatchObject({ isDescribed: true, verdict: { isDecoded: true, isRelayed: true } });
  });

  it.each(bodies)('is what the decoder takes, with one thing changed: $name', ({ body }) => {
    const mutant = arbitraryMutant(body).map((changed) => JSON.parse(JSON.stringify(changed)) as JsonObject);
    for (const changed of fc.sample(mutant, RUNS)) {
      const { verdict, isDescribed } = judge(changed);
      expect(verdict).toMatchObject({ isDecoded: isDescribed, isRelayed: true });
    }
  });
});
