import { describe, expect, it } from 'vitest';
import { maskSearchText, parseKeyEnds, searchTextSchema } from './search-text.ts';

describe('the text of a search', () => {
  it('never has more of a pasted key than the console shows', () => {
    const secret = `sk-7Qb2${'x'.repeat(40)}9fGh`;
    expect(maskSearchText(` ${secret}\n`)).toBe('sk-7Qb2…9fGh');
    expect(maskSearchText(`sk-proj-${'a_b-'.repeat(30)}wxyz`)).toBe('sk-proj…wxyz');
    expect(maskSearchText('sk-7Qb2')).toBe('sk-7Qb2');
  });

  it('is recognized as a key with a typed or a displayed ellipsis', () => {
    expect(parseKeyEnds('sk-7Qb2…9fGh')).toEqual({ prefix: 'sk-7Qb2', last4: '9fGh' });
    expect(parseKeyEnds('sk-7Qb2...9fGh')).toEqual({ prefix: 'sk-7Qb2', last4: '9fGh' });
    expect(parseKeyEnds('sk-7Qb2')).toBeNull();
  });

  it('has at least two characters', () => {
    expect(searchTextSchema.safeParse(' a ').success).toBe(false);
    expect(searchTextSchema.parse(' ab ')).toBe('ab');
  });
});
