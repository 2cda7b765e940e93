import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { openMail } from './mailbox.ts';
import { seedKey } from './seed.ts';

const NEAR_ITS_BUDGET = {
  name: 'near',
  maxBudget: '10',
  rpm: '60',
  spentNanoUsd: 9_000_000_000n,
  weekNanoUsd: 132_000n,
  weekRequests: 2,
  lastUsedSecondsAgo: 60,
};

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`the sign-in pages have no axe findings, ${colorScheme}`, async ({ page }) => {
      for (const url of [
        '/sign-in',
        '/sign-up?operator=x',
        '/verify?email=a%40b.cd',
        '/forgot',
        '/nowhere',
      ]) {
        await page.goto(url);
        await expectAccessible(page, url);
      }
      await page.goto('/reset?token=x');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectAccessible(page, 'reset with an error');
    });

    test(`the console has no axe findings, ${colorScheme}`, async ({
      signedIn: page,
      person,
      installation,
      context,
    }) => {
      // axe needs seconds for each of a dozen pages and dialogs.
      test.setTimeout(150_000);
      await expect(page.getByText('No keys yet')).toBeVisible();
      await expectAccessible(page, 'no keys');
      const account = { email: person.email, id: person.accountId };
      await seedKey(installation, account, NEAR_ITS_BUDGET);
      await seedKey(installation, account, { name: 'soon', expiresInDays: 2, models: 'tollgate-demo' });
      await seedKey(installation, account, { name: 'gone', isRevoked: true });
      await page.goto('/keys?state=ended');
      await expect(page.getByText('gone', { exact: true })).toBeVisible();
      await expectAccessible(page, 'ended keys');
      await page.goto('/keys');
      await expect(page.getByText('soon', { exact: true })).toBeVisible();
      await expectAccessible(page, 'keys');
      await visitDialogs(page);
      await page.goto('/settings');
      await expectAccessible(page, 'settings');
      await page.getByRole('button', { name: person.email }).click();
      await expectAccessible(page, "the person's menu");
      await page.goto('/settings/confirm-email?token=x');
      await expectAccessible(page, 'confirm email');
      await page.goto('/forgot');
      await page.goto('/dev/mailbox');
      await expect(page.getByRole('heading', { name: 'Mailbox' })).toBeVisible();
      await expectAccessible(page, 'mailbox');
      await fetchReset(page, person.email);
      const mail = await openMail(context, { to: person.email, subject: /password/i });
      await expectAccessible(mail.page, 'mail');
    });
  });
}

async function visitDialogs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('combobox', { name: 'Allowed models' }).fill('demo');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'new key with the list of models');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Custom…' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'new key with an error');
  await page.getByLabel('Name').fill('made');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'made is ready' })).toBeVisible();
  await expectAccessible(page, 'reveal');
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'not copied');
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await page.getByRole('button', { name: 'Actions for made' }).click();
  await expectAccessible(page, "a key's menu");
  await page.getByRole('menuitem', { name: 'Show details' }).click();
  await expect(page.getByRole('heading', { name: 'Recent requests' })).toBeVisible();
  await expectAccessible(page, 'details');
  await page.goBack();
  await page.getByRole('button', { name: 'Actions for made' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByLabel(/to confirm/).fill('made');
  await expectAccessible(page, 'revoke');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('made revoked')).toBeVisible();
  await expectAccessible(page, 'a toast');
}

/** Requests an email like the page, to check it in the mailbox. */
async function fetchReset(page: Page, email: string): Promise<void> {
  const status = await page.evaluate(
    async (address) =>
      (
        await fetch('/trpc/auth.requestPasswordReset', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: address }),
        })
      ).status,
    email,
  );
  expect(status).toBe(200);
}
