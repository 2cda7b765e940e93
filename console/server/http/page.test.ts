import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { html, PAGE_TOKENS, writePage } from './page.ts';

it("has the values of the console's own tokens", () => {
  const css = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split("[data-theme='dark']");
  for (const [theme, text] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    for (const [name, value] of Object.entries(PAGE_TOKENS[theme]))
      expect(text).toContain(`${name}: ${value};`);
  }
});

it('escapes inserted values, and leaves HTML unchanged', () => {
  const name = `<b a="1" b='2'>&`;
  expect(html`<p title="${name}">${html`<i>${name}</i>`}</p>`.html).toBe(
    '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;"><i>&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;</i></p>',
  );
  expect(writePage({ title: '</title><script>', body: html`x` })).not.toContain('</title><script>');
});
