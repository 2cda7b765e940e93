import type { Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures.ts';
import { seedKey } from './seed.ts';

// Several browsers and child processes can need more than the usual minute on a busy machine.
test.setTimeout(120_000);

const getRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a key revoked in one browser disappears in another within a second', async ({
  page,
  person,
  installation,
  browser,
}) => {
  const account = { email: person.email, id: person.accountId };
  await seedKey(installation, account, { name: 'shared' });
  await seedKey(installation, account, { name: 'other' });
  const elsewhere = await browser.newContext({ baseURL: installation.consoleUrl });
  const watching = await elsewhere.newPage();
  const listening = watching.waitForResponse((response) => response.url().includes('/trpc/live.changes'));
  await signIn(watching, person);
  await listening;
  await expect(getRow(watching, 'shared')).toBeVisible();
  await signIn(page, person);
  await page.getByRole('button', { name: 'Actions for shared' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByLabel('Type shared to confirm').fill('shared');
  const revoked = page.waitForResponse((response) => response.url().includes('/trpc/keys.revoke'));
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await revoked;
  await expect(getRow(watching, 'shared')).toHaveCount(0, { timeout: 1_000 });
  await expect(getRow(watching, 'other')).toBeVisible();
  await elsewhere.close();
});

test('a rotated key is shown once, and both keys work until the old one ends', async ({
  page,
  person,
  installation,
}) => {
  const account = { email: person.email, id: person.accountId };
  const secret = await seedKey(installation, account, { name: 'production', maxBudget: '10', rpm: '60' });
  await signIn(page, person);
  await page.getByRole('link', { name: 'production' }).click();
  await expect(page.getByRole('heading', { name: 'production' })).toBeVisible();
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await expect(page.getByLabel('Budget for the old key')).toHaveValue('5.00');
  await page.getByLabel('Budget for the old key').fill('10');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByText('Enter less than $10.00 for the old key.')).toBeVisible();
  await page.getByLabel('Budget for the old key').fill('2.50');
  await expect(page.getByText(/the new key gets \$7\.50 now/)).toBeVisible();
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByRole('heading', { name: 'production is ready' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const newSecret = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'I saved the key' }).click();
  await expect(page.getByText(/^replaced, ends in/)).toBeVisible();
  await expect(page.getByText('0% of $2.50')).toBeVisible();
  for (const key of [secret, newSecret]) {
    const answer = await page.request.get(`${installation.apiUrl}/key`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status()).toBe(200);
  }
  await page.getByRole('link', { name: 'a newer key' }).click();
  await expect(page.getByText('0% of $7.50')).toBeVisible();
  const limits = page.getByRole('region', { name: /^Limits/ });
  await expect(limits).toContainText('0 of 60');
  const answered = await page.request.post(`${installation.apiUrl}/chat/completions`, {
    headers: { authorization: `Bearer ${newSecret}` },
    data: { model: 'tollgate-demo', messages: [{ role: 'user', content: 'Hello' }] },
  });
  expect(answered.status()).toBe(200);
  // The replica that admitted the request updates the open page.
  await expect(limits).toContainText('1 of 60');
  await expect(limits).toContainText(/Fully available in \d+ s/);
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('radio', { name: 'Immediately' }).click();
  await expect(page.getByRole('button', { name: 'Rotate and revoke' })).toBeDisabled();
  await page.getByLabel('Type production to confirm').fill('production');
  await page.getByRole('button', { name: 'Rotate and revoke' }).click();
  await expect(page.getByRole('heading', { name: 'production is ready' })).toBeVisible();
  const refused = await page.request.get(`${installation.apiUrl}/key`, {
    headers: { authorization: `Bearer ${newSecret}` },
  });
  expect(refused.status()).toBe(401);
});

test('keys are sorted, filtered by tag and revoked together', async ({ page, person, installation }) => {
  const account = { email: person.email, id: person.accountId };
  await seedKey(installation, account, { name: 'cheap', lastUsedSecondsAgo: 5, spentNanoUsd: 1_000n });
  await seedKey(installation, account, { name: 'dear', lastUsedSecondsAgo: 500, spentNanoUsd: 9_000_000n });
  await seedKey(installation, account, { name: 'idle' });
  await signIn(page, person);
  // Tags are links too.
  const names = page.getByRole('rowheader').locator('a[title]');
  await expect(names.first()).toHaveText('idle');
  await page.getByRole('button', { name: 'Spend' }).click();
  await expect(names.first()).toHaveText('dear');
  await expect(page.getByRole('columnheader', { name: 'Spend' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Spend' }).click();
  await expect(page).toHaveURL(/sort=spent&order=asc/);
  await expect(names.first()).toHaveText('idle');

  await page.getByRole('link', { name: 'dear' }).click();
  await page.getByRole('button', { name: 'Edit tags' }).click();
  await page.getByLabel('Tags, comma-separated').fill('prod, team eu');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'team eu' }).click();
  await expect(page).toHaveURL(/tag=team/);
  await expect(names).toHaveText(['dear']);
  await page.getByLabel('Filter by tag').selectOption('');
  await expect(names).toHaveCount(3);

  await page.getByRole('checkbox', { name: 'Select idle' }).press('Space');
  await page.getByRole('checkbox', { name: 'Select dear' }).press('Space');
  await expect(page.getByText('2 keys selected')).toBeVisible();
  await page.getByRole('region', { name: 'Selected keys' }).getByRole('button', { name: 'Revoke…' }).click();
  await page.getByLabel('Type revoke 2 keys to confirm').fill('revoke 2 keys');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 keys revoked')).toBeVisible();
  await expect(names).toHaveText(['cheap']);
});
