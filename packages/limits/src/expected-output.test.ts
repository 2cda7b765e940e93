import { describe, expect, it } from 'vitest';
import { ExpectedOutput } from './expected-output.ts';

describe('ExpectedOutput', () => {
  it('expects 1,024 tokens until 20 responses are known', () => {
    const expected = new ExpectedOutput();
    expect(expected.expectedOutputTokens('m', null)).toBe(1024);
    for (let answer = 1; answer < 20; answer++) expected.note('m', 7);
    expect(expected.expectedOutputTokens('m', null)).toBe(1024);
    expected.note('m', 7);
    expect(expected.expectedOutputTokens('m', null)).toBe(7);
    expect(expected.expectedOutputTokens('other', null)).toBe(1024);
  });

  it('never exceeds the maximum of the request', () => {
    const expected = new ExpectedOutput();
    expect(expected.expectedOutputTokens('m', 16)).toBe(16);
    expect(expected.expectedOutputTokens('m', 4096)).toBe(1024);
  });

  it('is the 95th percentile of the last 512 responses', () => {
    const expected = new ExpectedOutput();
    let seed = 1;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647) % 5000;
    const answers = Array.from({ length: 3000 }, next);
    for (const [index, answer] of answers.entries()) {
      expected.note('m', answer);
      if (index < 19) continue;
      const last = answers.slice(Math.max(0, index - 511), index + 1).toSorted((a, b) => a - b);
      expect(expected.expectedOutputTokens('m', null)).toBe(last[Math.ceil(last.length * 0.95) - 1]);
    }
  });

  it('keeps the last 1,000 models and ignores invalid counts', () => {
    const expected = new ExpectedOutput();
    for (let model = 0; model <= 1000; model++)
      for (let answer = 0; answer < 20; answer++) {
        expected.note(`m${model}`, 5);
        expected.note(`m${model}`, Number.NaN);
      }
    expect(expected.expectedOutputTokens('m0', null)).toBe(1024);
    expect(expected.expectedOutputTokens('m1', null)).toBe(5);
    expect(expected.expectedOutputTokens('m1000', null)).toBe(5);
  });
});
