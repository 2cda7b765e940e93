import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';

/** Opens a dialog, checks it and the page behind it, and closes it. */
async function visitDialog(page: Page, what: string, open: () => Promise<void>): Promise<void> {
  await open();
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
  await expectAccessible(page, what);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`dialogs and inner pages have no axe findings, ${colorScheme}`, async ({ signedIn: page }) => {
      test.setTimeout(150_000);
      const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
      await visitDialog(page, 'command palette', () => page.keyboard.press('Control+k'));
      await visitDialog(page, 'shortcuts', () => page.keyboard.press('?'));
      await page.goto('/billing');
      await visitDialog(page, 'top up', press('Top up'));
      await visitDialog(page, 'low-balance email', press('Set up…'));
      for (const url of ['/billing/statements', '/requests/errors']) {
        await page.goto(url);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, url);
      }
      await page.goto('/team');
      await visitDialog(page, 'invite member', press('Invite member'));
      await visitDialog(page, 'rename account', press('Rename…'));
      await page.goto('/settings');
      await visitDialog(page, 'delete account', press('Delete account…'));
      await page.goto('/playground');
      await visitDialog(page, 'share', press('Share'));
      await visitDialog(page, 'code', press('View code'));
    });
  });
}

test('axe finds what is planted in a page and in an opened dialog', async ({ signedIn: page }) => {
  await expectAccessible(page, 'before');
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
  await expect(expectAccessible(page, 'planted in the page')).rejects.toThrow('button-name');
  await page.reload();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'dialog before');
  await dialog.evaluate((element) => {
    const faint = document.createElement('p');
    faint.textContent = 'Faint text';
    faint.style.color = '#cfcfcf';
    faint.style.background = '#ffffff';
    element.append(faint);
  });
  await expect(expectAccessible(page, 'planted in the dialog')).rejects.toThrow('color-contrast');
});
