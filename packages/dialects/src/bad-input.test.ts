import { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import { findParamProblem } from '@tollgate/testing/bad-input/check-param';
import { createMutator } from '@tollgate/testing/bad-input/mutate-body';
import { VALID_BODIES } from '@tollgate/testing/bad-input/valid-bodies';
import { scanBody } from './json/scan-body.ts';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './anthropic-messages/decode-request.ts';
import { encodeAnthropicRequest } from './anthropic-messages/encode-request.ts';
import { parseAnthropicMessagesRequest } from './anthropic-messages/parse-request.ts';
import type { Encoded } from './encoded.ts';
import { asObject, type JsonObject } from './json/parse-object.ts';
import { decodeOpenAiChatRequest } from './openai-chat/decode-request.ts';
import { encodeOpenAiChatRequest } from './openai-chat/encode-request.ts';
import { parseOpenAiChatRequest } from './openai-chat/parse-request.ts';
import { decodeOpenAiResponsesRequest } from './openai-responses/decode-request.ts';
import { encodeOpenAiResponsesRequest } from './openai-responses/encode-request.ts';
import { parseOpenAiResponsesRequest } from './openai-responses/parse-request.ts';
import type { RelayRequest } from './relay-request.ts';

interface RequestCodec {
  parse: (text: string) => Result<RelayRequest>;
  decode: (body: JsonObject) => Result<CompletionRequest>;
  encode: (request: CompletionRequest) => Encoded;
}

const CODECS: Record<keyof typeof VALID_BODIES, RequestCodec> = {
  'openai-chat': {
    parse: parseOpenAiChatRequest,
    decode: decodeOpenAiChatRequest,
    encode: (request) => encodeOpenAiChatRequest(request),
  },
  'anthropic-messages': {
    parse: parseAnthropicMessagesRequest,
    decode: decodeAnthropicRequest,
    encode: (request) => encodeAnthropicRequest(request, { defaultMaxTokens: 1_000 }),
  },
  'openai-responses': {
    parse: parseOpenAiResponsesRequest,
    decode: decodeOpenAiResponsesRequest,
    encode: (request) => encodeOpenAiResponsesRequest(request),
  },
};
const NAMES = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const MUTANTS = Number(process.env['BAD_INPUT_MUTANTS'] ?? 2_000);
const SEED = 20_261_120;

describe.each(NAMES)('%s', (name) => {
  const { parse, decode } = CODECS[name];

  it(`reads ${MUTANTS} bodies with errors, or says which member is in error`, () => {
    const mutator = createMutator(SEED, VALID_BODIES[name], 200);
    const counts = { read: 0, refused: 0, noObject: 0, unsayable: 0 };
    const errors: string[] = [];
    for (let drawn = 0; drawn < MUTANTS; drawn += 1) {
      const { body, mutations } = mutator.next('the-model');
      const text = body.toString('utf8');
      const json = parseAnyDepth(text);
      const relayed = parse(text);
      if (json === null) {
        counts.noObject += 1;
        if (relayed.ok) errors.push(`read what is no JSON object: ${mutations.join(', ')}`);
        continue;
      }
      // A body that is nested too deeply never reaches a decoder.
      if (scanBody(Buffer.from(body)) !== null) continue;
      const results: Result<unknown>[] = [relayed, decode(json)];
      for (const result of results) {
        const error = result.ok ? null : findParamProblem(result.error.param, json);
        if (error !== null) errors.push(`${error}: ${mutations.join(', ')}`);
      }
      const decoded = decode(json);
      counts[decoded.ok ? 'read' : 'refused'] += 1;
      if (!decoded.ok) continue;
      for (const target of NAMES) {
        const encoded = CODECS[target].encode(decoded.value);
        if (encoded.ok) JSON.stringify(encoded.body);
        else {
          counts.unsayable += 1;
          if ((encoded.error.param ?? '') === '')
            errors.push(`no param of ${target}: ${mutations.join(', ')}`);
        }
      }
    }
    expect(errors).toEqual([]);
    expect(counts.read).toBeGreaterThan(MUTANTS / 10);
    expect(counts.refused).toBeGreaterThan(MUTANTS / 10);
    expect(counts.noObject).toBeGreaterThan(MUTANTS / 20);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  }, 60_000);

  it.each(VALID_BODIES[name].map((body, index) => ({ index, body })))(
    'reads body $index as it is',
    ({ body }) => {
      const whole = { model: 'the-model', ...body };
      expect(parse(JSON.stringify(whole))).toMatchObject({ ok: true });
      expect(decode(whole)).toMatchObject({ ok: true });
    },
  );
});

function parseAnyDepth(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}
