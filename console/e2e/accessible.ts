import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** @param what names the state of the page where axe finds something */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Half-faded colours are not the colours: axe looks when nothing moves any more.
  await page.waitForTimeout(200);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // Menus and tooltips are drawn at the end of the body, outside the landmarks.
    .disableRules(['region'])
    // The mail is a document of its own; what it looks like is not the console's.
    .exclude('iframe')
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' | ')}`);
  expect(found, what).toEqual([]);
}
