import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { planAnswer, type DemoQuestion } from './plan-answer.ts';

const MANY_BLANKS = 100_000;
const plan = (lastText: string, members: Partial<DemoQuestion> = {}) =>
  planAnswer({
    lastText,
    lastIsToolResult: true,
    tools: [],
    maxTokens: null,
    promptLength: lastText.length,
    schema: null,
    ...members,
  });
const ask = (lastText: string) => plan(lastText).pieces;

it('answers in words with the blanks before them', () => {
  expect(ask('one  two\n')).toEqual(['The', ' tool', ' answered:', ' one', '  two']);
});

it.each([
  ['at the end', `x${' '.repeat(MANY_BLANKS)}`],
  ['inside', `x${' '.repeat(MANY_BLANKS)}y`],
])('answers a text with many blanks in little time: %s', (_, text) => {
  expect(threadTimeMs(() => void ask(text))).toBeLessThan(1_000);
});

it('calls the only tool that is offered, but none of several: an agent would run it', () => {
  const [shell, agent] = ['shell', 'agent'].map((name) => ({ name, schema: {} }));
  if (shell === undefined || agent === undefined) throw new Error('no tools');
  expect(plan('Hello', { lastIsToolResult: false, tools: [shell] }).toolCall?.name).toBe('shell');
  const several = plan('Hello', { lastIsToolResult: false, tools: [shell, agent] });
  expect(several.toolCall).toBeNull();
  expect(several.pieces.join('')).toContain('You said: Hello');
});
