import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { seedHistory } from './seed-ledger.ts';
import { seedKey } from './seed.ts';

const HOUR_MS = 3_600_000;

test('finance fills in billing details, opens the statement of the month and downloads it', async ({
  page,
  person,
  installation,
}) => {
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'production-api' });
  await seedHistory(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Add details…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Company name').fill('Acme GmbH');
  await dialog.getByLabel('Country').selectOption({ label: 'Germany' });
  await dialog.getByLabel('Tax ID').fill('DE136695975');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('This is not a tax ID of the chosen country.')).toBeVisible();
  await dialog.getByLabel('Tax ID').fill('DE136695976');
  await expectAccessible(page, 'billing-details');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Tax ID DE136695976')).toBeVisible();

  await page.getByRole('link', { name: 'Statements' }).click();
  await expect(page.getByRole('heading', { name: 'Statements' })).toBeVisible();
  await page.goto('/billing/statements');
  await expectAccessible(page, 'statements');
  // The month of the last usage that is in the ledger.
  const month = new Date(Date.now() - 26 * HOUR_MS);
  const label = month.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await page.getByRole('link', { name: label }).click();
  await expect(page.getByRole('heading', { name: /^Statement for / })).toBeVisible();
  await expect(page).toHaveURL(/\/billing\/statements\/\d{4}-\d{2}\?account=acct_/);
  await expect(page.getByRole('table', { name: 'Usage by key' })).toContainText('production-api');
  await expect(page.getByText(/Acme GmbH\s+Germany\s+Tax ID DE136695976/)).toBeVisible();
  await expectAccessible(page, 'statement');
  for (const [name, start] of [
    ['CSV', 'at,kind,reason'],
    ['PDF', '%PDF-'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    const file = await readFile(await (await download).path(), 'latin1');
    expect(file.startsWith(start)).toBe(true);
  }
  await page.goto('/billing/statements');
  await expect(page.getByRole('link', { name: label })).toBeVisible();
});
