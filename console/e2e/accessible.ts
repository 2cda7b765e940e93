import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** @param what state of the page in error messages */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Wait for the end of animations: axe would check half-faded colours.
  await page.waitForTimeout(200);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // Menus and tooltips are rendered at the end of the body, outside the landmarks.
    .disableRules(['region'])
    // The email is a separate document, not part of the console.
    .exclude('iframe')
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' | ')}`);
  expect(found, what).toEqual([]);
}
