import { decodeAnthropicRequest } from '@tollgate/dialects/anthropic-messages/decode-request';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import { decodeOpenAiChatRequest } from '@tollgate/dialects/openai-chat/decode-request';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import {
  approvesStoredCall,
  findApprovalRequests,
  isStoredItem,
} from '@tollgate/dialects/openai-responses/stored-item';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { decodeOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/decode-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getSchema } from './document-schemas.fixture.ts';
import { arbitraryMutant } from './mutate-json.fixture.ts';
import { ANTHROPIC_BODIES, OPENAI_BODIES, RESPONSES_BODIES } from './request-bodies.fixture.ts';

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);
process.stdout.write(`${describeRecordings(recordings)}\n`);

/** The schema of a request, its decoder for translation and its parser for passthrough. */
const DIALECTS = [
  {
    dialect: 'openai-chat',
    schema: getSchema('ChatCompletionRequest'),
    decode: decodeOpenAiChatRequest,
    parse: parseOpenAiChatRequest,
    bodies: OPENAI_BODIES,
  },
  {
    dialect: 'anthropic-messages',
    schema: getSchema('MessageRequest'),
    decode: decodeAnthropicRequest,
    parse: parseAnthropicMessagesRequest,
    bodies: ANTHROPIC_BODIES,
  },
  {
    dialect: 'openai-responses',
    schema: getSchema('ResponseRequest'),
    decode: decodeOpenAiResponsesRequest,
    parse: parseOpenAiResponsesRequest,
    bodies: RESPONSES_BODIES,
  },
];

const RUNS = 600;

/** An item that only references data stored at the provider is refused, whatever its shape. */
function namesStoredItem({ input }: JsonObject): boolean {
  if (!Array.isArray(input)) return false;
  const requestIds = findApprovalRequests(input);
  return input.some((each) => {
    const item = asObject(each);
    return item !== null && (isStoredItem(item) || approvesStoredCall(item, requestIds));
  });
}

/** The gateway takes these out before the parser reads them, for accounts that store responses. */
const STATE_MEMBERS = ['previous_response_id', 'conversation', 'background'];

function refersToState(body: JsonObject): boolean {
  return STATE_MEMBERS.some((name) => (body[name] ?? false) !== false);
}

describe.each(DIALECTS)('the request schema of $dialect', ({ dialect, schema, decode, parse, bodies }) => {
  /** The result of the schema for a body, and of the decoder and parser. */
  function judge(body: JsonObject) {
    const isState = dialect === 'openai-responses' && refersToState(body);
    const isDescribed = schema(body) && !namesStoredItem(body) && !isState;
    const decoded = decode(body);
    const result = decoded.ok ? 'taken' : decoded.error.message;
    // Passthrough requires less than translation, never more.
    const isRelayed = !isDescribed || parse(JSON.stringify(body)).ok;
    return { verdict: { isDecoded: decoded.ok, isRelayed, result, body }, isDescribed };
  }

  it('matches the decoder over recorded traffic', () => {
    const sent = recordings.cases.flatMap((found) =>
      found.dialect === dialect ? (found.request ?? []) : [],
    );
    // The project's own fixtures have no Responses API traffic.
    if (recordings.source === 'recordings') expect(sent.length).toBeGreaterThan(3);
    for (const { json } of sent) {
      const { verdict, isDescribed } = judge(json);
      expect(verdict).toMatchObject({ isDecoded: isDescribed, isRelayed: true });
    }
  });

  it.each(bodies)('matches the decoder: $name', ({ body }) => {
    expect(judge(body)).toMatchObject({ isDescribed: true, verdict: { isDecoded: true, isRelayed: true } });
  });

  it.each(bodies)('matches the decoder with one change: $name', ({ body }) => {
    const mutant = arbitraryMutant(body).map((changed) => JSON.parse(JSON.stringify(changed)) as JsonObject);
    for (const changed of fc.sample(mutant, RUNS)) {
      const { verdict, isDescribed } = judge(changed);
      expect(verdict).toMatchObject({ isDecoded: isDescribed, isRelayed: true });
    }
  });
});
