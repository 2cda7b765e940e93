import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { planAnswer, type DemoQuestion } from './plan-answer.ts';

const MANY_BLANKS = 100_000;
const ask = (lastText: string) => {
  const question: DemoQuestion = {
    lastText,
    lastIsToolResult: true,
    tools: [],
    maxTokens: null,
    promptLength: lastText.length,
    schema: null,
  };
  return planAnswer(question).pieces;
};

it('answers in words with the blanks before them', () => {
  expect(ask('one  two\n')).toEqual(['The', ' tool', ' answered:', ' one', '  two']);
});

it.each([
  ['at the end', `x${' '.repeat(MANY_BLANKS)}`],
  ['inside', `x${' '.repeat(MANY_BLANKS)}y`],
])('answers a text with many blanks in little time: %s', (_, text) => {
  expect(threadTimeMs(() => void ask(text))).toBeLessThan(1_000);
});
