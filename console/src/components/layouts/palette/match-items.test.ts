import { describe, expect, it } from 'vitest';
import { matchItems } from './match-items.ts';

const ITEMS = [
  { group: 'Models', label: 'gpt-5-mini' },
  { group: 'Pages', label: 'API keys' },
  { group: 'Pages', label: 'Playground', words: 'chat try' },
  { group: 'Keys', label: 'production-api', hint: 'sk-7Qb2…9fGh' },
  { group: 'Actions', label: 'Create key' },
] as const;

const getLabels = (text: string) => matchItems(ITEMS, text).map(({ label }) => label);

describe('what the palette finds', () => {
  it('is everything but models until something is typed', () => {
    expect(getLabels(' ')).toEqual(['API keys', 'Playground', 'Create key', 'production-api']);
  });

  it('begins a word with each word that was typed, group by group', () => {
    expect(getLabels('api')).toEqual(['API keys', 'production-api']);
    expect(getLabels('KEY')).toEqual(['API keys', 'Create key']);
    expect(getLabels('cre key')).toEqual(['Create key']);
    expect(getLabels('mini')).toEqual(['gpt-5-mini']);
    expect(getLabels('ini')).toEqual([]);
  });

  it('shows what the server found, even if no word begins with the text', () => {
    const found = { group: 'Keys', label: 'nightly', isFound: true } as const;
    expect(matchItems([...ITEMS, found], 'ightl').map(({ label }) => label)).toEqual(['nightly']);
  });

  it('shows everything that the server found, and limits the rest', () => {
    const pages = Array.from({ length: 20 }, (_, n) => ({ group: 'Pages', label: `page ${n}` }) as const);
    const hits = Array.from(
      { length: 20 },
      (_, n) => ({ group: 'All accounts', label: `page ${n}`, isFound: true }) as const,
    );
    expect(matchItems([...pages, ...hits], 'page')).toHaveLength(28);
  });

  it('is found by other words, and by the hint next to the label', () => {
    expect(getLabels('chat')).toEqual(['Playground']);
    expect(getLabels('9fgh')).toEqual(['production-api']);
  });
});
