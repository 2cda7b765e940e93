import { NO_USAGE } from '@tollgate/core/money/money';
import { expect, it } from 'vitest';
import { getModel } from '../../lib/catalogue-model.fixture.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { compareAnswers, getSpeed } from './compare-answers.ts';
import type { AnswerTurn } from './conversation.ts';

const CATALOGUE: Catalogue = {
  plan: { pricePpm: 1_000_000, isPrepaid: true },
  models: [getModel('cheap'), getModel('dear', {}, { outputUsd: '30.00' })],
};

function answer(model: string, rest: Partial<AnswerTurn> = {}): AnswerTurn {
  return {
    kind: 'answer',
    id: 1,
    model,
    dialect: 'openai',
    state: 'done',
    text: 'x',
    reasoning: '',
    toolCalls: [],
    failure: null,
    requestId: null,
    finishReason: 'stop',
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 100 },
    firstTokenMs: 100,
    totalMs: 1_100,
    ...rest,
  };
}

it('computes the speed from the first token on', () => {
  expect(getSpeed(answer('cheap'))).toBe(100);
  expect(getSpeed(answer('cheap', { totalMs: 100 }))).toBeNull();
  expect(getSpeed(answer('cheap', { state: 'stopped' }))).toBeNull();
  expect(getSpeed(answer('cheap', { usage: null }))).toBeNull();
});

it('finds the lowest cost, the earliest first token and the highest speed', () => {
  const shown = [
    [answer('cheap', { firstTokenMs: 300, totalMs: 2_300 })],
    [answer('dear', { firstTokenMs: 200, totalMs: 1_200 })],
  ];
  expect(compareAnswers(shown, CATALOGUE)).toEqual([['cost'], ['first-token', 'speed']]);
});

it('distinguishes none if two are equal, a value is unknown, or a response is incomplete', () => {
  expect(compareAnswers([[answer('cheap')], [answer('cheap')]], CATALOGUE)).toEqual([[], []]);
  const unpriced = [[answer('cheap', { firstTokenMs: 50 })], [answer('unknown', { usage: null })]];
  expect(compareAnswers(unpriced, CATALOGUE)).toEqual([['first-token'], []]);
  const failed = [[answer('cheap')], [answer('dear', { state: 'failed' })]];
  expect(compareAnswers(failed, CATALOGUE)).toEqual([[], []]);
  expect(compareAnswers([[answer('cheap')], []], CATALOGUE)).toEqual([[], []]);
});
