import { arbitraryCompletionRequest } from '@tollgate/testing/arbitrary-completion-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryRequestFor, RICH } from './arbitrary-request.fixture.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { NO_QUIRKS } from './quirks/provider-quirks.ts';

describe('a request that is written and read again', () => {
  it.each([
    ['OpenAI', NO_QUIRKS],
    ['a provider that takes more', RICH],
  ])('is the same for %s', (_name, quirks) => {
    fc.assert(
      fc.property(arbitraryRequestFor(quirks), (request) => {
        const encoded = encodeOpenAiChatRequest(request, quirks);
        if (!encoded.ok) throw new Error(encoded.error.message);
        expect(encoded.dropped).toEqual([]);
        const sent = JSON.parse(JSON.stringify(encoded.body));
        expect(decodeOpenAiChatRequest(sent)).toEqual({ ok: true, value: request });
      }),
      { numRuns: 200 },
    );
  });

  it('is written, refused or named as dropped for any members', () => {
    fc.assert(
      fc.property(arbitraryCompletionRequest(), (request) => {
        const encoded = encodeOpenAiChatRequest(request);
        if (encoded.ok) expect(decodeOpenAiChatRequest(encoded.body).ok).toBe(true);
        else
          expect(encoded.error).toMatchObject({ code: 'unsupported_parameter', param: expect.any(String) });
      }),
    );
  });

  it('is read or refused with the place of its error, for any mutation', () => {
    const seeds = fc.sample(arbitraryRequestFor(RICH), { numRuns: 30, seed: 7 }).map((request) => {
      const encoded = encodeOpenAiChatRequest(request, RICH);
      return encoded.ok ? encoded.body : {};
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        fc.jsonValue(),
        (seed, path, value) => {
          const body = structuredClone(seed);
          replaceAt(body, path, value);
          const decoded = decodeOpenAiChatRequest(body);
          expect(decoded.ok ? 'model' : decoded.error.param).toMatch(/^\w/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** Puts `value` at the place that the numbers choose, one member per level. */
function replaceAt(body: Record<string, unknown>, path: readonly number[], value: unknown): void {
  let owner = body;
  for (const [step, number] of path.entries()) {
    const keys = Object.keys(owner);
    const key = keys[number % keys.length];
    if (key === undefined) return;
    const next = owner[key];
    if (step === path.length - 1 || typeof next !== 'object' || next === null) {
      owner[key] = value;
      return;
    }
    owner = Object.assign(next);
  }
}
