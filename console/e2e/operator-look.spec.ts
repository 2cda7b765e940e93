import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test, type Person } from './fixtures.ts';
import { createOperator, seedPasskey, seedPrices, seedProviderCosts } from './operator-fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedHistory } from './seed-ledger.ts';
import { seedKey } from './seed.ts';

type See = (what: string) => Promise<void>;

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`operator pages have no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      test.setTimeout(400_000);
      await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'production-api' });
      await seedHistory(installation, person.accountId);
      await seedPasskey(installation, person.email);
      // The variants share an installation: each has its own models.
      const mark = randomBytes(3).toString('hex');
      await seedPrices(installation, `priced-by-length-${mark}`);
      await seedProviderCosts(installation, person.accountId, mark);
      await signIn(page, await createOperator(installation));
      const see = async (what: string) => {
        const isVeiled = (await page.locator('[role="dialog"], [role="alertdialog"]').count()) > 0;
        await shooter(page, look.name, { fullPage: !isVeiled })(what);
        await expectAccessible(page, what);
      };
      await visitAccounts(page, see, person);
      await visitProviders(page, see);
      await visitModels(page, see, mark);
      await visitPlans(page, see);
      await visitMoney(page, see, mark);
      await visitSystem(page, see);
    });
  });
}

async function visitAccounts(page: Page, see: See, person: Person): Promise<void> {
  // Requests are in the sums of the page after up to ten seconds.
  await expect(async () => {
    await page.goto('/operator');
    await expect(page.getByRole('link', { name: person.email })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
  await see('operator-overview');
  await page.goto('/operator/accounts');
  await expect(page.getByRole('link', { name: person.email })).toBeVisible();
  await see('operator-accounts');
  await page.goto('/operator/accounts?q=missing-of-that-name');
  await expect(page.getByText('No matching accounts')).toBeVisible();
  await see('operator-accounts-none');
  await page.goto(`/operator/accounts/${person.accountId}`);
  await expect(page.getByRole('heading', { name: 'Newest API keys' })).toBeVisible();
  await see('operator-account');
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  await page.getByLabel('Amount in USD').fill('25');
  await see('operator-adjust');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Reset sign-in… for/ }).click();
  await see('operator-reset-sign-in');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Suspend…' }).click();
  await see('operator-suspend');
  await page.keyboard.press('Escape');
}

async function visitProviders(page: Page, see: See): Promise<void> {
  await page.goto('/operator/providers');
  await expect(page.getByText('built in')).toBeVisible();
  await see('operator-providers');
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByLabel('Provider type').selectOption('azure-openai');
  await expect(page.getByLabel('resource')).toBeVisible();
  await see('operator-provider-new');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Header 1 name').fill('x-team');
  await page.getByLabel('Header 1 name').scrollIntoViewIfNeeded();
  await see('operator-provider-headers');
  await page.keyboard.press('Escape');
}

async function visitModels(page: Page, see: See, mark: string): Promise<void> {
  await page.goto('/operator/models');
  await expect(page.getByRole('link', { name: 'tollgate-demo', exact: true })).toBeVisible();
  await see('operator-models');
  await page.getByRole('button', { name: 'Add from catalogue' }).click();
  await expect(page.getByRole('button', { name: /^Add / }).nth(1)).toBeVisible();
  await see('operator-offers');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'tollgate-demo', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Routes' })).toBeVisible();
  await see('operator-model');
  await page.getByRole('button', { name: 'Edit details' }).click();
  await see('operator-facts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set price' }).click();
  await page.getByRole('radio', { name: 'Later' }).click();
  await see('operator-set-price');
  await page.keyboard.press('Escape');
  await page.goto(`/operator/models/priced-by-length-${mark}`);
  await expect(page.getByText('scheduled')).toBeVisible();
  await see('operator-model-prices');
}

async function visitPlans(page: Page, see: See): Promise<void> {
  await page.goto('/operator/plans');
  await expect(page.getByText('default', { exact: true })).toBeVisible();
  await see('operator-plans');
  await page.getByRole('button', { name: 'Edit standard' }).click();
  await page.getByRole('radio', { name: 'Selected models' }).click();
  await see('operator-plan');
  await page.keyboard.press('Escape');
}

async function visitMoney(page: Page, see: See, mark: string): Promise<void> {
  await page.goto('/operator/payments');
  await expect(page.getByText('Expired').filter({ visible: true }).first()).toBeVisible();
  await see('operator-payments');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('paid');
  await expect(page).toHaveURL(/state=paid/);
  await expect(page.getByRole('cell', { name: 'Expired' })).toHaveCount(0);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Webhook events' })).toBeVisible();
  await expect(page.getByText('Top-up', { exact: true })).toBeVisible();
  await see('operator-payment');
  await page.goto('/operator/payments?tab=events&outcome=refused');
  await expect(page.getByText('No matching events')).toBeVisible();
  await see('operator-events-none');
  await page.goto('/operator/costs');
  await expect(
    page.getByRole('row', { name: new RegExp(`drifting-${mark}`) }).getByText('+2.5%'),
  ).toBeVisible();
  const lost = page.getByRole('table', { name: /Cache reads lost/ });
  await expect(
    lost.getByRole('row', { name: new RegExp(`switching-${mark}`) }).getByText('$0.19'),
  ).toBeVisible();
  await see('operator-costs');
  await page.goto('/operator/mails');
  await expect(page.getByText('No emails').or(page.getByRole('table', { name: /Emails/ }))).toBeVisible();
  await see('operator-mails');
}

async function visitSystem(page: Page, see: See): Promise<void> {
  await page.goto('/operator/audit');
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  await see('operator-audit');
  await page.goto('/operator/system');
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  // The seeded costs have no requests of the api.
  await expect(page.getByText(/rules? (?:passed|failed)/)).toBeVisible();
  await page.getByRole('radio', { name: 'Selected domains' }).click();
  await see('operator-system');
}
