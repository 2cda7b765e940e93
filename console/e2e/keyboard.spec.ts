import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Presses Tab until the wanted control has focus, like a user without a mouse. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    const label = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement)) return '';
      const labels = focused instanceof HTMLInputElement ? [...(focused.labels ?? [])] : [];
      return [focused.getAttribute('aria-label'), ...labels.map((l) => l.textContent), focused.textContent]
        .filter(Boolean)
        .join(' ');
    });
    if (name.test(label)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${String(name)}`);
}

/** Opens the confirmation from the focused button of the row's menu. */
async function openRevoke(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Revoke…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Type by-keyboard to confirm')).toBeFocused();
}

test('a key is created and revoked with the keyboard only', async ({ signedIn: page }) => {
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('by-keyboard');

  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Allowed models' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.type('tollgate-demo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove tollgate-demo' })).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('button', { name: 'Remove tollgate-demo' })).toHaveCount(0);
  await page.keyboard.type('tollgate-demo');
  await page.keyboard.press('Enter');
  // The first Esc closes only the list, not the dialog.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible();

  await tabTo(page, /^Budget/);
  await page.keyboard.type('2.5');
  await tabTo(page, /^Never/);
  // Pressed as long as by a finger: the group selects while the key is down.
  await page.keyboard.press('ArrowRight', { delay: 80 });
  await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked();
  await page.keyboard.press('Control+Enter');

  await expect(page.getByRole('heading', { name: 'by-keyboard is ready' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, /I saved the key/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused();

  await tabTo(page, /Actions for by-keyboard/);
  await openRevoke(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Actions for by-keyboard' })).toBeFocused();
  await openRevoke(page);
  await page.keyboard.type('by-keyboard');
  await page.keyboard.press('Enter');
  await expect(page.getByText('by-keyboard revoked')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'by-keyboard' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'No active key' })).toBeVisible();
});

test('? lists shortcuts, / searches, and typing in fields triggers no shortcut', async ({
  signedIn: page,
}) => {
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'New key' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('n?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/q=n%3F/);
});
