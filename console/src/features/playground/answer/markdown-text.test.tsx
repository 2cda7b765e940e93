import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../../testing/open-console.tsx';
import { MarkdownText } from './markdown-text.tsx';

cleanUpAfterEach();

function read(text: string): HTMLElement {
  return show(<MarkdownText id={7} text={text} />).container;
}

function indentList(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
}

it('formats headings, lists, tables and code', () => {
  const shown = read(
    '# Birds\n\n- heron\n- [x] seen\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```python\nprint("hi")\n```\n\n`x`',
  );
  expect(screen.getByRole('heading', { name: 'Birds', level: 3 })).toBeDefined();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.getByRole('cell', { name: '2' }).style.textAlign).toBe('right');
  expect(screen.getByRole('region', { name: 'Code in python' }).textContent.trim()).toBe('print("hi")');
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeDefined();
  expect(shown.querySelector('input')).toBeNull();
  expect(shown.textContent).toContain('☑');
});

it('makes no elements of HTML', () => {
  const shown = read(
    '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\nText <iframe src="https://evil.example"></iframe>\n\n<a href="javascript:alert(1)">x</a>',
  );
  expect(shown.querySelector('script, img, iframe, a, [onerror]')).toBeNull();
});

it.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,AAAA)',
])('removes the URL of %s', (text) => {
  const shown = read(text);
  expect(shown.querySelector('[href], [src]')).toBeNull();
  expect(shown.textContent).toContain('x');
});

it('loads no images, but links to them', () => {
  const shown = read('![a heron](https://tracker.example/pixel.png?user=1)');
  expect(shown.querySelector('img')).toBeNull();
  const link = screen.getByRole('link', { name: 'Image: a heron' });
  expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  expect(link.getAttribute('target')).toBe('_blank');
});

it('names footnotes by their response', () => {
  const shown = read('Fact[^1]\n\n[^1]: Source');
  expect(shown.querySelector('#answer-7-fn-1')).not.toBeNull();
});

it('links within the page only to its footnotes', () => {
  const shown = read('[share](#share=eyJ9) [other](#answer-8-fn-1) Fact[^1]\n\n[^1]: Source');
  expect(screen.queryByRole('link', { name: /share|other/ })).toBeNull();
  expect(shown.textContent).toContain('share other');
  const targets = Array.from(shown.querySelectorAll('a'), (link) => link.getAttribute('href'));
  expect(targets).toEqual(['#answer-7-fn-1', '#answer-7-fnref-1']);
});

it.each([
  ['quotes', `${'>'.repeat(1500)} a`],
  ['quotes that exhaust the stack', `${'>'.repeat(90_000)} a`],
  ['lists', `${'- '.repeat(1500)}a`],
  ['mixed blocks', `${'> 1. '.repeat(800)}a`],
  ['lists on 40 lines', indentList(40)],
  ['lists on 300 lines', indentList(300)],
  ['emphasis', '*a **b '.repeat(200) + '** c*'.repeat(200)],
  ['quotes in a footnote', `a[^1]\n\n[^1]: ${'> '.repeat(1500)}b`],
  ['footnotes', '[^a]: '.repeat(15_000)],
])('shows too deeply nested %s as text', (_, text) => {
  const shown = read(text);
  expect(shown.querySelectorAll('blockquote, li, em')).toHaveLength(0);
  expect(shown.querySelectorAll('*').length).toBeLessThan(10);
  expect(shown.textContent).toBe(text);
});

it.each([
  ['*a_ ', 20_000],
  ['*a **b ', 10_000],
])('does not parse %s 10,000 times or more, which takes minutes', (part, times) => {
  const text = part.repeat(times);
  const startedAtMs = performance.now();
  expect(read(text).textContent).toBe(text);
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
});

it('formats what is nested as deeply as people write', () => {
  const shown = read(
    `${'> '.repeat(12)}**a**\n\n${'- '.repeat(12)}b\n\n${'-'.repeat(80)}\n\n${'*c* '.repeat(1_500)}`,
  );
  expect(shown.querySelectorAll('blockquote')).toHaveLength(12);
  expect(shown.querySelectorAll('li')).toHaveLength(12);
  expect(shown.querySelectorAll('em')).toHaveLength(1_500);
  expect(shown.querySelector('hr')).not.toBeNull();
});
