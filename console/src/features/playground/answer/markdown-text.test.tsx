import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../../testing/open-console.tsx';
import { MarkdownText } from './markdown-text.tsx';

cleanUpAfterEach();

function read(text: string): HTMLElement {
  return show(<MarkdownText id={7} text={text} />).container;
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
