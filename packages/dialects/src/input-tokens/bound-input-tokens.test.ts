import { Buffer } from 'node:buffer';
import type { Message } from '@tollgate/core/completion/request';
import { boundToolReads, runsTools } from '@tollgate/core/money/rates/bound-rates';
import {
  arbitraryCompletionRequest,
  arbitraryConversation,
  arbitrarySampling,
} from '@tollgate/testing/arbitrary-completion-request';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnthropicMessagesRequest } from '../anthropic-messages/parse-request.ts';
import { getCodec } from '../codec.ts';
import { BASE_CONTRACTS } from '../contract/base-contracts.ts';
import { inspectRequest } from '../contract/inspect-request.ts';
import { NO_QUIRKS } from '../openai-chat/quirks/provider-quirks.ts';
import { parseOpenAiChatRequest } from '../openai-chat/parse-request.ts';
import { parseOpenAiResponsesRequest } from '../openai-responses/parse-request.ts';
import type { ParsedRequest, RelayRequest } from '../relay-request.ts';
import { boundInputTokens } from './bound-input-tokens.ts';
import { estimateInputTokens } from './estimate-input-tokens.ts';
import { countedTokens } from './recorded-counts.fixture.ts';

const DIALECTS = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const PARSERS = {
  'openai-chat': parseOpenAiChatRequest,
  'anthropic-messages': parseAnthropicMessagesRequest,
  'openai-responses': parseOpenAiResponsesRequest,
};
const MODELS = [
  'gpt-4o-mini',
  'gpt-5-mini',
  'claude-sonnet-4-5',
  'gpt-oss-120b',
  'mistral-large',
  'gemini-2.5-pro',
];

/** Number of generated requests for each dialect. */
const RUNS = Number(process.env['INPUT_BOUND_RUNS'] ?? 250);

const plain = { mediaParts: 0, hasUnboundedInput: false, maxOutputTokens: null };

function parse(dialect: (typeof DIALECTS)[number], text: string): ParsedRequest | null {
  const parsed = PARSERS[dialect](text);
  return parsed.ok ? parsed.value : null;
}

function computeBound(body: Buffer, request: RelayRequest, contextTokens: number | null = null): number {
  return boundInputTokens({ bodyBytes: body.length, request, contextTokens });
}

describe('the bound of input tokens', () => {
  it('is at most the model’s context, and equals it if the bytes do not bound the input', () => {
    const unbounded = { ...plain, hasUnboundedInput: true };
    const bound = (request: typeof plain, bodyBytes: number, contextTokens: number | null) =>
      boundInputTokens({ bodyBytes, request, contextTokens });
    expect(bound(plain, 1_000_000, 8_192)).toBe(8_192);
    expect(bound(unbounded, 100, 8_192)).toBe(8_192);
    expect(bound(unbounded, 100, null)).toBe(2_000_000);
    expect(bound(unbounded, 30_000_000, null)).toBeGreaterThan(30_000_000);
  });

  it('is not cut to the context of a model that takes many inputs in one request', () => {
    const embeddings = { ...plain, maxOutputTokens: 0 };
    const bound = boundInputTokens({ bodyBytes: 1_000_000, request: embeddings, contextTokens: 8_192 });
    expect(bound).toBeGreaterThanOrEqual(1_000_000);
  });

  const requests = arbitraryCompletionRequest({
    model: fc.constantFrom(...MODELS),
    hostedTools: fc.constant([]),
    toolChoice: fc.constant(null),
    choices: fc.constant(1),
    stopSequences: fc.constant([]),
    sampling: arbitrarySampling({
      topK: fc.constant(null),
      seed: fc.constant(null),
      presencePenalty: fc.constant(null),
      frequencyPenalty: fc.constant(null),
      logitBias: fc.constant(null),
    }),
    modalities: fc.constant(['text']),
    logprobs: fc.constant(null),
    extra: fc.constant({}),
    messages: arbitraryConversation(),
  });

  it.each(DIALECTS)('is never below the estimate, and covers the whole request: %s', async (dialect) => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(requests, fc.constantFrom(null, 500, 200_000), async (asked, contextTokens) => {
        const codec = getCodec(dialect);
        const encoded = codec.encodeRequest(asked, { quirks: NO_QUIRKS, defaultMaxTokens: 100 });
        if (!encoded.ok) return;
        const body = Buffer.from(JSON.stringify(encoded.body));
        const relayed = parse(dialect, body.toString());
        const decoded = codec.decodeRequest(JSON.parse(body.toString()));
        if (relayed === null || !decoded.ok) return;
        written += 1;
        const { tokens } = await estimateInputTokens(decoded.value, asked.model);
        const bound = computeBound(body, relayed, contextTokens);
        expect(bound).toBeGreaterThanOrEqual(Math.min(tokens, contextTokens ?? tokens));
        const found = lookInto(decoded.value.messages);
        expect(relayed.mediaParts).toBeGreaterThanOrEqual(found.media);
        if (found.hasFiles) expect(relayed.hasUnboundedInput).toBe(true);
        if (found.hasMarks || decoded.value.tools.some((tool) => tool.cache !== null))
          expect(relayed.writesCache).toBe(true);
      }),
      { numRuns: RUNS },
    );
    process.stdout.write(`${dialect}: the bound held for ${written} generated requests\n`);
    // One in fifteen requests can be written in the Responses API.
    expect(written).toBeGreaterThan(RUNS / 100);
  });

  it('is never below the estimate of any text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }),
      fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
      fc.string({
        unit: fc.constantFrom(...Array.from('{}[]"\\/<>|~`^\n\u0000\u007f0123456789')),
        maxLength: 3_000,
        size: 'max',
      }),
    );
    let least = Infinity;
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...MODELS), async (content, model) => {
        const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content }] }));
        const relayed = parse('openai-chat', body.toString());
        const decoded = getCodec('openai-chat').decodeRequest(JSON.parse(body.toString()));
        if (relayed === null || !decoded.ok) throw new Error('It cannot be read');
        const { tokens } = await estimateInputTokens(decoded.value, model);
        least = Math.min(least, computeBound(body, relayed) / tokens);
        expect(computeBound(body, relayed)).toBeGreaterThanOrEqual(tokens);
      }),
      { numRuns: RUNS * 0.6 },
    );
    process.stdout.write(`The bound of odd text is at least ${least.toFixed(2)} times its estimate\n`);
  });
});

/** The parts of a conversation that cost more than their bytes show. */
function lookInto(messages: readonly Message[]) {
  const parts = messages.flatMap(({ content }): readonly Message['content'][number][] => content);
  const isImage = (part: (typeof parts)[number]) => part.type === 'image' || part.type === 'audio';
  return {
    media: parts.filter(isImage).length,
    hasFiles: parts.some((part) => part.type === 'document' && part.source.kind !== 'text'),
    hasMarks: parts.some((part) => 'cache' in part && part.cache !== null),
  };
}

const ENDPOINTS = {
  'openai-chat': 'chat',
  'anthropic-messages': 'messages',
  'openai-responses': 'responses',
} as const;

/** What tools of the provider bring, and make the model read again. @returns null: up to the model's context */
function boundResults(
  dialect: (typeof DIALECTS)[number],
  request: ParsedRequest,
  once: number,
): number | null {
  const contract = BASE_CONTRACTS[ENDPOINTS[dialect]];
  const { needs, hasUncountedTools } = inspectRequest(request.members, contract, request.conversation);
  if (hasUncountedTools) return null;
  if (!runsTools(needs)) return 0;
  const reads = boundToolReads(needs);
  return reads && reads.calls * once + (reads.resultTokens * reads.calls * (reads.calls + 1)) / 2;
}

const recordings = loadDialectRecordings(DIALECTS);
const hasRecordings = recordings.source === 'recordings';
if (!hasRecordings) process.stdout.write(`${describeRecordings(recordings)}: no bound was compared\n`);

describe.skipIf(!hasRecordings)('the bound of input tokens, compared with what providers counted', () => {
  it('is never below it', () => {
    const rows = recordings.cases.flatMap((each) => {
      const counted = each.status === 200 ? countedTokens(each) : null;
      const relayed = each.request === null ? null : parse(each.dialect, each.request.body.toString());
      if (each.request === null || counted === null || relayed === null) return [];
      const once = computeBound(each.request.body, relayed);
      const results = boundResults(each.dialect, relayed, once);
      const isUnbounded = relayed.hasUnboundedInput || results === null;
      return [{ name: each.name, counted, bound: once + (results ?? Infinity), isUnbounded }];
    });
    const ratios = rows
      .filter((row) => !row.isUnbounded)
      .map(({ bound, counted }) => bound / counted)
      .toSorted((a, b) => a - b);
    const at = (share: number) => (ratios[Math.floor((ratios.length - 1) * share)] ?? 0).toFixed(1);
    const unbounded = rows.filter((row) => row.isUnbounded).map(({ name }) => name);
    process.stdout.write(
      `${rows.length} recorded requests; the bound is ${at(0)} to ${at(1)} times what the provider counted, in the median ${at(0.5)}; ` +
        `${unbounded.length} without a bound: ${unbounded.join(', ')}\n`,
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ bound, counted }) => bound < counted)).toEqual([]);
  });
});
