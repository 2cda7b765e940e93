import type { Locator, Page } from '@playwright/test';
import OpenAI from 'openai';
import { z } from 'zod';
import { expect, PASSWORD, signIn, test } from './fixtures.ts';
import { openMail, readCode } from './mailbox.ts';
import { seedCredits } from './seed-ledger.ts';
import { makeViewer, seedKey } from './seed.ts';

const MODEL = 'tollgate-demo';
/** Included credit of the default plan. */
const INCLUDED = '$1.00';

const sessionSchema = z.object({
  result: z.object({ data: z.object({ accounts: z.tuple([z.object({ id: z.string() })]) }) }),
});

const getBalance = (page: Page): Locator => page.getByRole('region', { name: 'Balance', exact: true });

test('a new user verifies, tops up $20, gets a receipt and spends exact nano-dollars', async ({
  page,
  context,
  installation,
}) => {
  const email = `payer-${Date.now()}@example.com`;
  await signUpAndVerify(page, email);
  await page.getByRole('link', { name: 'Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
  await expect(getBalance(page)).toContainText(INCLUDED);

  await goToPayment(page, '20');
  await expect(page.getByText('$20.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page).toHaveURL(/\/billing\?payment=pay_/);
  await expect(page.getByText('$20.00 paid and added to the balance.')).toBeVisible();
  await expect(getBalance(page)).toContainText('$21.00');
  const topUp = page.getByRole('row').filter({ hasText: 'Top-up' });
  await expect(topUp).toContainText('+$20.00');
  await expect(topUp).toContainText('$21.00');
  // Loading the return page again adds nothing.
  await page.reload();
  await expect(page.getByText('$20.00 paid and added to the balance.')).toBeVisible();
  await expect(getBalance(page)).toContainText('$21.00');

  await openReceipt(page, email);
  await openMail(context, { to: email, subject: /receipt/i });

  const secret = await seedKey(installation, { email, id: await readAccountId(page) }, { name: 'payer' });
  const client = new OpenAI({ baseURL: installation.apiUrl, apiKey: secret, maxRetries: 0 });
  await client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] });
  const unposted = page.getByRole('row').filter({ hasText: 'Pending usage' });
  await expect(unposted).toContainText(/−\$0\.0+[1-9]/, { timeout: 20_000 });
  await expect(getBalance(page)).toContainText(/\$20\.9\d+/);
});

test('a declined payment adds nothing, shows an error and can be retried', async ({ signedIn: page }) => {
  await page.goto('/billing');
  await expect(getBalance(page)).toContainText(INCLUDED);
  await goToPayment(page, '12.50');
  await page.getByRole('button', { name: /Decline/ }).click();
  await expect(page).toHaveURL(/\/billing\?payment=pay_/);
  await expect(page.getByText(/The payment of \$12\.50 failed\. You were not charged/)).toBeVisible();
  await expect(getBalance(page)).toContainText(INCLUDED);
  await page.getByRole('tab', { name: 'Payments' }).click();
  await expect(page).toHaveURL(/tab=payments/);
  const row = page.getByRole('row').filter({ hasText: '$12.50' });
  await expect(row).toContainText('Declined');
  await expect(row.getByRole('link')).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'Top up' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page).not.toHaveURL(/payment=/);
  await expect(page).toHaveURL(/tab=payments/);
});

test('a refund restores the balance and leaves both entries in the activity', async ({ signedIn: page }) => {
  await page.goto('/billing');
  await goToPayment(page, '20');
  await page.getByRole('button', { name: 'Pay, then refund' }).click();
  await expect(page.getByText('This payment of $20.00 was refunded.')).toBeVisible();
  await expect(getBalance(page)).toContainText(INCLUDED);
  await expect(page.getByRole('row').filter({ hasText: 'Top-up' })).toContainText('+$20.00');
  await expect(page.getByRole('row').filter({ hasText: 'Refund' })).toContainText('−$20.00');
  await page.getByRole('button', { name: /Refund/, expanded: false }).press('Enter');
  await expect(page.getByRole('link', { name: /^Receipt R-/ })).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Credit note C-/ })).toHaveCount(1);
  await page.getByRole('radio', { name: 'Every entry' }).click();
  await expect(page).toHaveURL(/entries=all/);
  await expect(page.getByRole('row').filter({ hasText: 'Refund' })).toHaveCount(1);
});

test('leaving the payment page does not change the balance', async ({ signedIn: page }) => {
  await page.goto('/billing');
  await goToPayment(page, '20');
  const paymentId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.goBack();
  // A new payment can start, whether the browser cached the page or reloads it.
  await expect(page.getByRole('button', { name: /^(Top up|Continue to payment)$/ }).last()).toBeEnabled();
  await page.goto(`/billing?payment=${paymentId}`);
  await expect(page.getByText('Waiting for the payment of $20.00 to be confirmed…')).toBeVisible();
  await expect(getBalance(page)).toContainText(INCLUDED);
});

test('an amount is validated before the redirect to the payment page', async ({ signedIn: page }) => {
  await page.goto('/billing');
  const opener = page.getByRole('button', { name: 'Top up', exact: true });
  await opener.click();
  const amount = page.getByLabel('Amount (USD)');
  const submit = page.getByRole('button', { name: 'Continue to payment' });
  for (const [typed, error] of [
    ['', 'Enter an amount in dollars'],
    ['1.00', 'Minimum $5'],
    ['1,000,000', 'Maximum $1,000 per payment'],
    ['20.001', 'Use at most two decimals'],
  ] as const) {
    await amount.fill(typed);
    await submit.click();
    await expect(page.getByRole('alert')).toContainText(error);
  }
  await page.getByRole('radio', { name: '$50' }).click();
  await expect(amount).toHaveValue('50');
  await expect(page.getByText('Balance after payment: $51.00')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('a saved card tops up automatically only while automatic top-ups are on', async ({ signedIn: page }) => {
  await page.goto('/billing');
  const row = page.getByRole('region', { name: 'Automatic top-up' });
  await row.getByRole('button', { name: 'Top up and save a card…' }).click();
  await expect(page.getByRole('checkbox', { name: 'Save the card for automatic top-ups' })).toBeChecked();
  await page.getByLabel('Amount (USD)').fill('5');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(getBalance(page)).toContainText('$6.00');
  await row.getByRole('button', { name: 'Set up…' }).click();
  await page.getByLabel('When the balance falls below').fill('0');
  await page.getByLabel('Top-up amount', { exact: true }).fill('20');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('alert')).toContainText('above zero');
  await page.getByLabel('When the balance falls below').fill('2.50');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(row).toContainText(
    /When the balance falls below \$2\.50, \$20\.00 is charged to [\w ]+ ending \d{4}/,
  );
  await expect(row).toContainText('No monthly maximum; $0.00 charged this month, before refunds.');
  await expect(row.getByRole('button', { name: 'Change…' })).toBeFocused();
  await row.getByRole('button', { name: 'Change…' }).click();
  await page.getByLabel('Monthly maximum').fill('10');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('alert')).toContainText('at least the top-up amount');
  await page.getByLabel('Monthly maximum').fill('50');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(row).toContainText('$0.00 of at most $50.00 charged this month, before refunds.');
  await row.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(row.getByText('Off', { exact: true })).toBeVisible();
  const card = page.getByRole('region', { name: 'Saved card' });
  await card.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove card' }).click();
  await expect(card).toHaveCount(0);
  await expect(row).toContainText('To use it, save a card');
});

test('a low balance email is sent below the chosen balance until it is turned off', async ({
  signedIn: page,
}) => {
  await page.goto('/billing');
  const row = page.getByRole('region', { name: 'Low-balance email' });
  await expect(row).toContainText('You will not be warned');
  await row.getByRole('button', { name: 'Set up…' }).click();
  await page.getByLabel('When the balance falls below').fill('2.50');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(row).toContainText('falls below $2.50');
  await expect(getBalance(page).getByText('Low', { exact: true })).toBeVisible();
  await page.reload();
  await row.getByRole('button', { name: 'Change…' }).click();
  await expect(page.getByLabel('When the balance falls below')).toHaveValue('2.50');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(row).toContainText('You will not be warned');
});

test('a viewer sees the balance but cannot change anything', async ({ page, person, installation }) => {
  await makeViewer(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/billing');
  await expect(getBalance(page)).toContainText(INCLUDED);
  await expect(page.getByText('Only owners and admins can make changes.')).toBeVisible();
  await expect(page.getByRole('button', { name: /top up|set up/i })).toHaveCount(0);
});

test('older entries are loaded on demand without duplicates and with consistent balances', async ({
  page,
  person,
  installation,
}) => {
  await seedCredits(installation, person.accountId, 60);
  await signIn(page, person);
  await page.goto('/billing?entries=all');
  const rows = page.getByRole('row').filter({ hasText: 'Credit' });
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toContainText('gift 60');
  await expect(rows.first()).toContainText('$1.60');
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows).toHaveCount(61);
  await expect(rows.last()).toContainText(INCLUDED);
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
  const balances = await rows.locator('td:last-child').allTextContents();
  // Blanks after an amount align the decimal points.
  expect(balances.map((balance) => balance.trim())).toEqual(
    Array.from({ length: 61 }, (_, index) => `$1.${String(60 - index).padStart(2, '0')}`),
  );
});

test('arrow keys move between the tabs, and a link opens its tab', async ({ signedIn: page }) => {
  await page.goto('/billing?tab=payments');
  await expect(page.getByRole('tab', { name: 'Payments' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('No payments yet')).toBeVisible();
  await page.getByRole('tab', { name: 'Payments' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Activity' })).toBeFocused();
  await expect(page).toHaveURL(/\/billing$/);
  await expect(page.getByRole('row').filter({ hasText: 'Credit' })).toContainText(INCLUDED);
  // A mistyped URL shows the page, not an error.
  await page.goto('/billing?tab=nothing&payment=%3Cscript%3E');
  await expect(getBalance(page)).toContainText(INCLUDED);
});

async function signUpAndVerify(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const mail = await openMail(page.context(), { to: email, subject: /verify/i });
  const code = await readCode(mail);
  await mail.page.close();
  await page.getByLabel('Code').fill(code);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
}

async function goToPayment(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page).toHaveURL(/\/dev\/pay\/pay_/);
}

async function readAccountId(page: Page): Promise<string> {
  const session = sessionSchema.parse(await (await page.request.get('/trpc/session.get')).json());
  return session.result.data.accounts[0].id;
}

async function openReceipt(page: Page, email: string): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Receipt R-/ }).click();
  const receipt = await opened;
  await expect(receipt.getByText(/R-\d{4}-\d+/).first()).toBeVisible();
  await expect(receipt.getByText('$20.00').first()).toBeVisible();
  await expect(receipt.getByText(email).first()).toBeVisible();
  await receipt.close();
}
