import { describe, expect, it } from 'vitest';
import { DETAILS, PROMPT_COUNTS, type CountName } from './prompt-counts.ts';
import { CountReader } from './read-count.ts';
import { readPrompt } from './read-prompt.ts';

const getNames = (count: keyof typeof PROMPT_COUNTS): CountName[] => [...PROMPT_COUNTS[count]];

/** The member with its count, in each place where it may be. */
function getPlaces({ name, isDetail }: CountName, count: number): Record<string, unknown>[] {
  return isDetail === true
    ? DETAILS.map((details) => ({ [details]: { [name]: count } }))
    : [{ [name]: count }];
}

describe.each([
  ['cacheRead', 'cacheReadTokens'],
  ['cacheWrite', 'cacheWriteTokens'],
] as const)('every name of %s', (count, field) => {
  const cases = getNames(count).flatMap((name) => getPlaces(name, 30).map((usage) => ({ ...name, usage })));
  it.each(cases)('is read and billed once: $usage', ({ isApart, usage }) => {
    const raw = { input_tokens: 100, ...usage };
    expect(readPrompt(raw, new CountReader(), raw)).toMatchObject({
      [field]: 30,
      inputTokens: isApart === true ? 100 : 70,
      isTold: true,
    });
  });
});

it.each([...getNames('prompt'), ...getNames('input')])(
  '$name is all input if nothing is apart',
  ({ name }) => {
    const raw = { [name]: 100, prompt_tokens_details: { cached_tokens: 30 } };
    expect(readPrompt(raw, new CountReader(), raw)).toMatchObject({ inputTokens: 70, cacheReadTokens: 30 });
  },
);
