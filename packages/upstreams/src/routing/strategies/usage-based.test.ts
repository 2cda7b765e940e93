import { describe, expect, it } from 'vitest';
import { createStage, type Route } from './strategies.fixture.ts';

describe('the strategy usage-based', () => {
  const headers = (all: Record<string, string>) => (name: string) => all[name] ?? null;
  const openai = (requests: number, tokens: number) =>
    headers({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': String(requests),
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': String(tokens),
      'x-ratelimit-reset-tokens': '30s',
    });

  it('puts the route with the largest remaining share of its tightest limit first, until its reset', () => {
    const { strategies, order, turnMs } = createStage();
    strategies.limits.note('a', openai(90, 200));
    strategies.limits.note('b', openai(60, 900));
    expect(order('usage-based')).toMatchObject({ first: 'b', choice: 'usage 60' });
    turnMs(15_000);
    expect(order('usage-based')).toMatchObject({ first: 'b', choice: 'usage 70' });
    strategies.limits.note('b', openai(10, 900));
    turnMs(15_001);
    expect(order('usage-based')).toMatchObject({ first: 'a' });
    turnMs(60_000);
    expect(order('usage-based').choice).toBe('usage 100');
  });

  it('reads the headers of Anthropic', () => {
    const { strategies, order, nowMs } = createStage();
    const reset = new Date(nowMs() + 60_000).toISOString();
    strategies.limits.note(
      'b',
      headers({
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '49',
        'anthropic-ratelimit-requests-reset': reset,
        'anthropic-ratelimit-input-tokens-limit': '40000',
        'anthropic-ratelimit-input-tokens-remaining': '4000',
        'anthropic-ratelimit-input-tokens-reset': reset,
      }),
    );
    expect(order('usage-based')).toMatchObject({ first: 'a', choice: 'usage 100' });
    expect(strategies.limits.getShare(['b'])).toBeCloseTo(0.1);
  });

  it('keeps a session with a prompt cache on its route while that has half of the best share', () => {
    const { strategies, order } = createStage();
    strategies.warm.note(1, 'a', { inputTokens: 5_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    strategies.limits.note('a', openai(55, 900));
    expect(order('usage-based', { sessionHash: 1 })).toMatchObject({
      first: 'a',
      choice: 'usage session 55',
    });
    strategies.limits.note('a', openai(45, 900));
    expect(order('usage-based', { sessionHash: 1 }).first).toBe('b');
  });

  it.each<[string, Record<string, string>]>([
    ['no number', { 'x-ratelimit-remaining-requests': 'many', 'x-ratelimit-limit-requests': '10' }],
    ['a limit of 0', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-limit-requests': '0' }],
    ['a negative one', { 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-limit-requests': '10' }],
  ])('ignores %s', (_, all) => {
    const { strategies } = createStage();
    strategies.limits.note('a', headers(all));
    expect(strategies.limits.getShare(['a'])).toBe(1);
  });

  it('counts the mean of what the credentials of a route have left', () => {
    const { strategies, order } = createStage();
    strategies.limits.note('a', openai(90, 900));
    strategies.limits.note('a/second', openai(10, 900));
    strategies.limits.note('b', openai(60, 900));
    const limitIds = ({ id }: Route) => (id === 'a' ? ['a', 'a/second'] : [id]);
    expect(order('usage-based', { limitIds })).toMatchObject({ first: 'b', choice: 'usage 60' });
  });

  it('tries a route of which nothing is left last', () => {
    const { strategies, order } = createStage();
    strategies.limits.note('a', openai(0, 900));
    expect(order('usage-based').first).toBe('b');
    strategies.limits.note('b', openai(0, 0));
    expect(order('usage-based').choice).toBe('usage 0');
  });

  it('expects that a limit is full again within a day', () => {
    const { strategies, turnMs } = createStage();
    const all = { 'x-ratelimit-remaining-requests': '50', 'x-ratelimit-limit-requests': '100' };
    strategies.limits.note('a', headers({ ...all, 'x-ratelimit-reset-requests': '999h' }));
    turnMs(43_200_000);
    expect(strategies.limits.getShare(['a'])).toBeCloseTo(0.75);
  });

  it('compares what is left of each limit, also if a response does not name all of them', () => {
    const { strategies } = createStage();
    const requests = { 'x-ratelimit-remaining-requests': '100' };
    strategies.limits.note('a', headers({ ...requests, 'x-ratelimit-remaining-tokens': '50000' }));
    strategies.limits.note('a', headers({ 'x-ratelimit-remaining-tokens': '5000' }));
    expect(strategies.limits.getShare(['a'])).toBeCloseTo(0.1);
  });

  it('takes the most that was ever left as a limit that the provider does not name', () => {
    const { strategies } = createStage();
    strategies.limits.note('a', headers({ 'x-ratelimit-remaining-tokens': '800' }));
    strategies.limits.note('a', headers({ 'x-ratelimit-remaining-tokens': '200' }));
    expect(strategies.limits.getShare(['a'])).toBeCloseTo(0.25);
  });
});
