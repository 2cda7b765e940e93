import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedHistory } from './seed-ledger.ts';
import { seedKey } from './seed.ts';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`the billing page has no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      test.setTimeout(120_000);
      await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'production-api' });
      await seedHistory(installation, person.accountId);
      await signIn(page, person);
      const see = async (what: string) => {
        // A dialog's backdrop covers only the window, so a full-page screenshot would show the rest without it.
        const fullPage = (await page.getByRole('dialog').count()) === 0;
        await shooter(page, look.name, { fullPage })(what);
        await expectAccessible(page, what);
      };
      await page.goto('/billing');
      await expect(page.getByRole('row').filter({ hasText: '−$0.812400131' })).toBeVisible();
      await see('billing');
      await page.goto('/billing?tab=payments');
      await expect(page.getByText('Expired').filter({ visible: true })).toBeVisible();
      await see('billing-payments');
      await visitDialogs(page, see);
      await visitPayment(page, see);
    });
  });
}

async function visitDialogs(page: Page, see: (what: string) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  await page.getByLabel('Amount (USD)').fill('1');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await see('billing-top-up-error');
  await page.getByRole('radio', { name: '$20' }).click();
  await see('billing-top-up');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Low-balance email' }).getByRole('button').click();
  await see('billing-low-balance');
  await page.keyboard.press('Escape');
}

/** Pays with a saved card, so that automatic top-ups can be set up. */
async function visitPayment(page: Page, see: (what: string) => Promise<void>): Promise<void> {
  const saving = page.getByRole('button', { name: 'Top up and save a card…' });
  await saving.click();
  await page.getByRole('radio', { name: '$20' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page).toHaveURL(/\/dev\/pay\/pay_/);
  await see('billing-test-payment');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByText('$20.00 paid and added to the balance.')).toBeVisible();
  await see('billing-paid');
  await page.getByRole('region', { name: 'Automatic top-up' }).getByRole('button').click();
  await see('billing-auto-top-up');
  await page.keyboard.press('Escape');
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Receipt R-/ }).click();
  const receipt = await opened;
  await expect(receipt.getByText('$20.00').first()).toBeVisible();
  await expectAccessible(receipt, 'receipt');
  await receipt.close();
}
