import { describe, expect, it } from 'vitest';
import { matchItems } from './match-items.ts';

const ITEMS = [
  { group: 'Models', label: 'gpt-5-mini' },
  { group: 'Pages', label: 'API keys' },
  { group: 'Pages', label: 'Playground', words: 'chat try' },
  { group: 'Keys', label: 'production-api', hint: 'sk-7Qb2…9fGh' },
  { group: 'Actions', label: 'Create key' },
] as const;

const labelsOf = (text: string) => matchItems(ITEMS, text).map(({ label }) => label);

describe('what the palette finds', () => {
  it('is everything but models until something is typed', () => {
    expect(labelsOf(' ')).toEqual(['API keys', 'Playground', 'Create key', 'production-api']);
  });

  it('begins a word with each word that was typed, group by group', () => {
    expect(labelsOf('api')).toEqual(['API keys', 'production-api']);
    expect(labelsOf('KEY')).toEqual(['API keys', 'Create key']);
    expect(labelsOf('cre key')).toEqual(['Create key']);
    expect(labelsOf('mini')).toEqual(['gpt-5-mini']);
    expect(labelsOf('ini')).toEqual([]);
  });

  it('is found by other words, and by the hint next to the label', () => {
    expect(labelsOf('chat')).toEqual(['Playground']);
    expect(labelsOf('9fgh')).toEqual(['production-api']);
  });
});
