import { createSeededRandom } from '@tollgate/testing/bad-input/seeded-random';
import { describe, expect, it } from 'vitest';
import { readPlainUsage } from './read-plain-usage.ts';
import { readUsage } from './read-usage.ts';

/** What the reader of all usage objects finds: it takes those with a member that `readPlainUsage` does not know. */
function readFully(raw: Record<string, unknown>): object {
  const { raw: _, ...report } = readUsage({ ...raw, unknown_member: null });
  return report;
}

describe('readPlainUsage', () => {
  it('reads three counts', () => {
    const raw = { prompt_tokens: 23, completion_tokens: 10, total_tokens: 33 };
    expect(readPlainUsage(raw)).toMatchObject({ usage: { inputTokens: 23, outputTokens: 10 }, raw });
  });

  it.each([
    ['cached input', { prompt_tokens_details: { cached_tokens: 3 } }],
    ['reasoning', { completion_tokens_details: { reasoning_tokens: 3 } }],
    ['another count', { prompt_cache_hit_tokens: 3 }],
    ['calls of tools', { num_search_queries: 1 }],
    ['iterations', { iterations: [] }],
    ['details that are no object', { prompt_tokens_details: 3 }],
    ['another sum', { total_tokens: 34 }],
    ['a text in place of a count', { prompt_tokens: '23' }],
    ['a fraction', { prompt_tokens: 22.5, total_tokens: 32.5 }],
    ['a negative count', { prompt_tokens: -23, total_tokens: -13 }],
    ['more than any request can have', { prompt_tokens: 100_000_000, total_tokens: 100_000_010 }],
  ])('leaves a usage object with %s to the other reader', (_, members) => {
    const raw = { prompt_tokens: 23, completion_tokens: 10, total_tokens: 33, ...members };
    expect(readPlainUsage(raw)).toBeNull();
  });

  it('finds in random usage objects what the reader of all usage objects finds', () => {
    const random = createSeededRandom(1);
    const details = ['cached_tokens', 'audio_tokens', 'reasoning_tokens', 'thinking_tokens', 'text_tokens'];
    const values = [0, 0, 0, 1, null];
    const pickDetails = () =>
      Object.fromEntries(
        details.flatMap((name) => (random.below(2) === 0 ? [[name, random.pick(values)]] : [])),
      );
    let read = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const [prompt, completion] = [random.below(3), random.below(3)];
      const raw: Record<string, unknown> = {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion + (random.below(8) === 0 ? 1 : 0),
      };
      if (random.below(2) === 0) raw['prompt_tokens_details'] = pickDetails();
      if (random.below(2) === 0) raw['completion_tokens_details'] = pickDetails();
      const plain = readPlainUsage(raw);
      if (plain === null) continue;
      read += 1;
      const { raw: itself, ...report } = plain;
      expect(itself).toBe(raw);
      expect(report).toEqual(readFully(raw));
    }
    expect(read).toBeGreaterThan(2_000);
  });
});
