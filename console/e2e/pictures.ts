import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const FOLDER = path.resolve(import.meta.dirname, '../screenshots');

const ALL_LOOKS = [
  { name: 'light', viewport: { width: 1440, height: 820 }, colorScheme: 'light', isPhone: false },
  { name: 'dark', viewport: { width: 1440, height: 820 }, colorScheme: 'dark', isPhone: false },
  { name: 'phone', viewport: { width: 375, height: 812 }, colorScheme: 'light', isPhone: true },
  { name: 'phone-dark', viewport: { width: 375, height: 812 }, colorScheme: 'dark', isPhone: true },
] as const;

/** Variants of the screenshots: none by default, `E2E_LOOKS=light,phone-dark`, or `E2E_LOOKS=all`. */
export const LOOKS = ALL_LOOKS.filter(({ name }) => isAskedFor(name));

function isAskedFor(name: string): boolean {
  const asked = process.env['E2E_LOOKS'] ?? '';
  return asked === 'all' || asked.split(',').includes(name);
}

/** Takes a screenshot, and checks that nothing scrolls sideways. */
export function shooter(
  page: Page,
  look: string,
  options: { fullPage?: boolean } = {},
): (name: string) => Promise<void> {
  return async (name) => {
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.waitForTimeout(200);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
    await page.screenshot({ path: path.join(FOLDER, `${name}-${look}.png`), ...options });
  };
}
