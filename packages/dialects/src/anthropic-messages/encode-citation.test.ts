import { expect, it } from 'vitest';
import { encodeCitation } from './encode-citation.ts';

const TEXT = `A short claim. ${'A long claim. '.repeat(1_000)}`;
const cite = (start: number | null, end: number | null, citedText: string | null = null) =>
  encodeCitation(
    { original: { type: 'url_citation' }, url: 'https://example.com', title: 'T', start, end, citedText },
    { text: TEXT },
  )['cited_text'];

it('quotes the place that a citation of another dialect names', () => {
  expect(cite(2, 13)).toBe('short claim');
  expect(cite(null, 13)).toBe('');
  expect(cite(0, 13, 'what the provider says')).toBe('what the provider says');
});

it('quotes only the start of a long place, so that many citations of it do not multiply a response', () => {
  expect(cite(0, TEXT.length)).toBe(TEXT.slice(0, 150));
});
