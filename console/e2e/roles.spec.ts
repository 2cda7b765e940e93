import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { countEffort } from './effort.ts';
import { expect, openSession, PASSWORD, test } from './fixtures.ts';
import { openMail, readCode } from './mailbox.ts';
import { createOperator } from './operator-fixtures.ts';
import { seedHistory } from './seed-ledger.ts';
import { seedRequests } from './seed-requests.ts';
import { seedKey } from './seed.ts';

// Six people at their work, from the page where each begins, with the clicks and keys that it takes.

const MODEL = 'tollgate-demo';
const HOUR_MS = 3_600_000;
const SEARCH = { name: /Search pages/ };

test('operator: what needs attention, who changed a price, and a new provider', async ({
  page,
  installation,
}) => {
  const task = await countEffort(page, 'operator');
  await openSession(page, await createOperator(installation), installation);
  await page.goto('/');
  await task('see what needs attention now', { clicks: 1, keys: 0 }, async () => {
    await page.getByRole('link', { name: 'Installation', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  });
  await task('add and test a provider', { clicks: 5, keys: 0 }, async () => {
    await page.getByRole('link', { name: 'Providers', exact: true }).click();
    await page.getByRole('button', { name: 'Add provider' }).click();
    await page.getByLabel('Provider type').selectOption({ label: 'Custom endpoint' });
    await page.getByLabel('Name').fill('of-the-roles');
    await page.getByLabel('Base URL').fill('http://127.0.0.1:47998/v1');
    await page.getByRole('dialog').getByRole('button', { name: 'Add provider' }).click();
    await page.getByRole('button', { name: 'Test of-the-roles' }).click();
    await expect(page.getByText(/nothing listens at this address/)).toBeVisible();
  });
  await task('find who added it', { clicks: 1, keys: 0 }, async () => {
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await expect(page.getByRole('row').filter({ hasText: 'of-the-roles' }).first()).toContainText(
      'operator-',
    );
  });
});

test('developer: from the sign-up to the first request, and why one failed', async ({
  page,
  context,
  installation,
}) => {
  const task = await countEffort(page, 'developer');
  const email = `developer-${Date.now()}@example.com`;
  await page.goto('/sign-up');
  await task('sign up and verify the email', { clicks: 1, keys: 6 }, async () => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    const mail = await openMail(context, { to: email, subject: /verify/i });
    const code = await readCode(mail);
    await mail.page.close();
    await page.getByLabel('Code').pressSequentially(code);
    await expect(page).not.toHaveURL(/verify/);
  });
  let client = new OpenAI({ baseURL: installation.apiUrl, apiKey: '-', maxRetries: 0 });
  const call = (model: string) =>
    client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
  await task('create a key, copy it and send a request', { clicks: 5, keys: 0 }, async () => {
    await page
      .getByRole('link', { name: /^(Create (a |your first )?key|API keys)$/ })
      .first()
      .click();
    await page
      .getByRole('button', { name: /^(New key|Create key)$/ })
      .first()
      .click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const apiKey = await page.evaluate(() => navigator.clipboard.readText());
    client = new OpenAI({ baseURL: installation.apiUrl, apiKey, maxRetries: 0 });
    await call(MODEL);
    await expect(page.getByText('first request received')).toBeVisible();
    await page.getByRole('button', { name: 'I saved the key' }).click();
  });
  await task('see why a request failed', { clicks: 2, keys: 0 }, async () => {
    await expect(call('no-such-model')).rejects.toThrow();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.locator('tr[data-index]').filter({ hasText: 'no-such-model' }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText(/no-such-model/).first()).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Copy for support' })).toBeVisible();
  });
});

test('finance: the statement of a month, and what was paid', async ({ page, person, installation }) => {
  const task = await countEffort(page, 'finance');
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'production-api' });
  await seedHistory(installation, person.accountId);
  await openSession(page, person, installation);
  await page.goto('/');
  const month = new Date(Date.now() - 26 * HOUR_MS);
  const label = month.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await task('download the statement of a month', { clicks: 4, keys: 0 }, async () => {
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('link', { name: 'Statements' }).click();
    await page.getByRole('link', { name: label }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'PDF' }).click();
    const file = await readFile(await (await download).path(), 'latin1');
    expect(file.startsWith('%PDF-')).toBe(true);
  });
  await task('open the receipt of a payment', { clicks: 3, keys: 0 }, async () => {
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('tab', { name: 'Payments' }).click();
    const opened = page.waitForEvent('popup');
    await page
      .getByRole('link', { name: /^Receipt R-/ })
      .first()
      .click();
    await expect((await opened).getByText(/R-\d{4}-\d+/).first()).toBeVisible();
  });
});

test('support: from the id of a request to a text for the customer', async ({
  page,
  person,
  installation,
}) => {
  const task = await countEffort(page, 'support');
  const seeded = await seedRequests(installation, person.accountId);
  await openSession(page, await createOperator(installation), installation);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await task('explain a request of any account by its id', { clicks: 2, keys: 3 }, async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', SEARCH).fill(seeded.refusedId);
    await expect(page.getByRole('group', { name: 'All accounts' }).getByRole('option')).toBeVisible();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `View as ${person.email}` });
    await dialog.getByLabel('Reason').fill('a ticket');
    await dialog.getByRole('button', { name: 'View as account' }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText('The budget of this key is used up.')).toBeVisible();
    await drawer.getByRole('button', { name: 'Copy for support' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(seeded.refusedId);
    expect(copied).toContain('budget_exceeded');
  });
});

test.describe('phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('phone: a leaked key is revoked, and the balance is topped up', async ({
    page,
    person,
    installation,
  }) => {
    const task = await countEffort(page, 'phone');
    await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'leaked' });
    await openSession(page, person, installation);
    await page.goto('/');
    await task('revoke a key', { clicks: 5, keys: 0 }, async () => {
      await page.getByRole('button', { name: 'Open menu' }).tap();
      await page.getByRole('link', { name: 'API keys' }).tap();
      await page.getByRole('button', { name: 'Actions for leaked' }).tap();
      await page.getByRole('menuitem', { name: 'Revoke…' }).tap();
      await page.getByLabel('Type leaked to confirm').fill('leaked');
      await page.getByRole('button', { name: 'Revoke key' }).tap();
      await expect(page.getByText('leaked revoked')).toBeVisible();
    });
    await task('top up $20', { clicks: 6, keys: 0 }, async () => {
      await page.getByRole('button', { name: 'Open menu' }).tap();
      await page.getByRole('link', { name: 'Billing' }).tap();
      await page.getByRole('button', { name: 'Top up', exact: true }).tap();
      await page.getByRole('radio', { name: '$20', exact: true }).tap();
      await page.getByRole('button', { name: 'Continue to payment' }).tap();
      await page.getByRole('button', { name: 'Pay', exact: true }).tap();
      await expect(page.getByText('$20.00 paid and added to the balance.')).toBeVisible();
    });
  });
});

test('keyboard: a key, a request and a page, without a mouse', async ({ page, person, installation }) => {
  const task = await countEffort(page, 'keyboard');
  const seeded = await seedRequests(installation, person.accountId);
  await openSession(page, person, installation);
  await page.goto('/keys');
  await expect(page.getByText('production-api')).toBeVisible();
  await task('create and copy a key', { clicks: 0, keys: 6 }, async () => {
    await page.keyboard.press('n');
    await expect(page.getByLabel('Name')).toBeFocused();
    await page.getByLabel('Name').fill('by-keyboard');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'by-keyboard is ready' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await task('open a request by its id', { clicks: 0, keys: 3 }, async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', SEARCH).fill(seeded.refusedId);
    await expect(page.getByRole('group', { name: 'Requests' }).getByRole('option')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByText('budget_exceeded')).toBeVisible();
  });
  await task('go to the statements', { clicks: 0, keys: 4 }, async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', SEARCH).fill('statements');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Statements' })).toBeVisible();
  });
});
