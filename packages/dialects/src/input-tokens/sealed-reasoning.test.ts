import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { estimateInputTokens } from './estimate-input-tokens.ts';

/** Looks like ciphertext in base64. @param length a multiple of 12 */
const seal = (length: number) => 'gAAAAB9-zK_4'.repeat(length / 12);

const USER = { role: 'user', content: 'Continue.' };
const CALL = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };
const RESULT = { type: 'function_call_output', call_id: 'call_1', output: '1' };
const TOOL = { type: 'function', name: 'f', parameters: { type: 'object' } };

async function getBound(dialect: Dialect, body: JsonObject): Promise<number> {
  const decoded = getCodec(dialect).decodeRequest(body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return (await estimateInputTokens(decoded.value, String(body['model']))).atMost;
}

describe("OpenAI's encrypted reasoning", () => {
  /** As Codex estimates it: https://github.com/openai/codex, `estimate_reasoning_length`. */
  const estimateLikeCodex = (characters: number) => (characters * 0.75 - 650) / 4;
  const ask = (item: object[], rest: object[]) =>
    getBound('openai-responses', {
      model: 'gpt-5.5',
      input: [USER, ...item, CALL, RESULT, ...rest],
      tools: [TOOL],
    });

  it.each([
    ['of this turn', [], []],
    ['of this turn, with a summary', [{ type: 'summary_text', text: 'I made a plan.' }], []],
    ['of an earlier turn', [], [USER]],
  ])('%s is covered by the upper bound', async (_, summary, rest) => {
    for (const length of [3_600, 36_000, 180_000]) {
      const encrypted = seal(length);
      const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: encrypted };
      const added = (await ask([item], rest)) - (await ask([], rest));
      expect(added).toBeGreaterThan(estimateLikeCodex(encrypted.length));
      // Not much more than it can be.
      expect(added).toBeLessThan(encrypted.length / 2);
    }
  });
});

describe('reasoning of Claude', () => {
  const ask = (content: object[]) =>
    getBound('anthropic-messages', {
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      messages: [USER, { role: 'assistant', content: [...content, { type: 'text', text: 'Hi' }] }, USER],
    });

  it.each([
    ['that is encrypted', (data: string) => ({ type: 'redacted_thinking', data })],
    ['with a signature', (signature: string) => ({ type: 'thinking', thinking: 'A summary.', signature })],
  ])('%s is covered by the upper bound', async (_, write) => {
    // In the recording `messages-redacted-thinking`, 1,020 characters are about 115 tokens.
    const added = (await ask([write(seal(1_020))])) - (await ask([]));
    expect(added).toBeGreaterThanOrEqual(115);
  });
});
