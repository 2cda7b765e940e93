import {
  arbitraryChoice,
  arbitraryCompletionResponse,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODECS, type CodecName } from './codecs.fixture.ts';

/** Number of generated responses for each test. */
const RUNS = Number(process.env['CONFORMANCE_RUNS'] ?? 400);
const NAMES = Object.keys(CODECS).filter((name): name is CodecName => name in CODECS);
const CONTEXT = {
  requestId: 'req_1',
  model: 'the-model',
  nowSeconds: 1_700_000_000,
  estimatedInputTokens: null,
  wantsStreamUsage: true,
};

/** Counts of which none is more than the count that it is part of. */
const usage = arbitraryUsage().map((counts) => ({
  ...counts,
  reasoningTokens: counts.reasoningTokens && Math.min(counts.reasoningTokens, counts.outputTokens),
}));
const createdAt = fc.constantFrom(null, 1_700_000_001);

/** Anything that a provider of any dialect could have answered. */
const answers = arbitraryCompletionResponse({ createdAt, usage });
const streams = arbitraryStream(
  arbitraryCompletionResponse({
    createdAt,
    usage,
    choices: fc.array(arbitraryChoice(), { minLength: 1, maxLength: 1 }),
  }),
);

describe.each(NAMES)('%s, whatever a provider answers', (name) => {
  const codec = CODECS[name];

  it('conforms when it is whole', () => {
    fc.assert(
      fc.property(answers, (response) => {
        const written: unknown = JSON.parse(JSON.stringify(codec.encodeResponse(response, CONTEXT)));
        expect(codec.checkWhole(written)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('conforms when it is streamed', () => {
    fc.assert(
      fc.property(streams, ({ events }) => {
        const encoder = codec.createStreamEncoder(CONTEXT);
        const written = events.map((event) => encoder.push(event)).join('');
        expect(codec.checkStream(written, { ending: 'whole' })).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('conforms when the stream breaks off anywhere', () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.constantFrom('overloaded_error', 'api_error'), (stream, at, kind) => {
        const encoder = codec.createStreamEncoder(CONTEXT);
        const events = stream.events.slice(0, at % stream.events.length);
        const written = events.map((event) => encoder.push(event)).join('');
        const end = encoder.push({ type: 'error', kind, message: 'It broke', code: null });
        expect(codec.checkStream(written + end, { ending: 'error' })).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
