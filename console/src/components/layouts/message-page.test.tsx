import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { InsideMain } from './main-context.ts';
import { MessagePage } from './message-page.tsx';

const page = (
  <MessagePage title="Not found" action={null}>
    text
  </MessagePage>
);

it('is the main part of a page, unless a layout has one', () => {
  expect(renderToStaticMarkup(page)).toMatch(/^<main/);
  const inside = renderToStaticMarkup(<InsideMain value>{page}</InsideMain>);
  expect(inside).not.toContain('<main');
  expect(inside).toContain('Not found');
});
