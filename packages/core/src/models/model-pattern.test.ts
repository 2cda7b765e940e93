import { describe, expect, it } from 'vitest';
import { allowedModelSchema, findUnknownEntries, ModelSet } from './model-pattern.ts';

describe('ModelSet', () => {
  it('has the listed models, and the models whose ID begins like a pattern', () => {
    const set = new ModelSet(['gpt-5', 'claude-*', 'anthropic/*']);
    expect(['gpt-5', 'claude-opus-5', 'claude-', 'anthropic/x'].filter((id) => !set.has(id))).toEqual([]);
    expect(
      ['gpt-5-mini', 'claude', 'Claude-opus-5', 'x/claude-1', '', '*'].filter((id) => set.has(id)),
    ).toEqual([]);
  });

  it('compares IDs as they are', () => {
    const composed = '\u00e9-*';
    expect(new ModelSet([composed]).has('\u00e9-1')).toBe(true);
    expect(new ModelSet([composed]).has('e\u0301-1')).toBe(false);
    expect(new ModelSet(['gpt-5*']).has('gpt-5')).toBe(true);
  });
});

it('finds entries that mean no model', () => {
  expect(findUnknownEntries(['a', 'b*', 'c', 'd*'], ['a', 'bee'])).toEqual(['c', 'd*']);
});

it.each([
  ['*', false],
  ['a*b', false],
  ['a**', false],
  ['*a', false],
  ['', false],
  ['a*', true],
  ['a', true],
])('accepts %s as an entry: %s', (entry, isAccepted) => {
  expect(allowedModelSchema.safeParse(entry).success).toBe(isAccepted);
});
