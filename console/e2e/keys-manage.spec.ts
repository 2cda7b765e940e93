import type { Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures.ts';
import { seedKey } from './seed.ts';

// Several browsers, and commands that each start a program: more than the usual minute where the machine is busy.
test.setTimeout(120_000);

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a key that is revoked in one browser is gone from another within a second', async ({
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
  await expect(rowOf(watching, 'shared')).toBeVisible();
  await signIn(page, person);
  await page.getByRole('button', { name: 'Actions for shared' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByLabel('Type shared to confirm').fill('shared');
  const revoked = page.waitForResponse((response) => response.url().includes('/trpc/keys.revoke'));
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await revoked;
  await expect(rowOf(watching, 'shared')).toHaveCount(0, { timeout: 1_000 });
  await expect(rowOf(watching, 'other')).toBeVisible();
  await elsewhere.close();
});

test('a key is rotated: the successor is shown once, and both work until the old one stops', async ({
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
  await expect(page.getByLabel('The old key keeps')).toHaveValue('5.00');
  await page.getByLabel('The old key keeps').fill('10');
  await page.getByRole('button', { name: 'Create successor' }).click();
  await expect(page.getByText('Enter less than $10.00 for the old key.')).toBeVisible();
  await page.getByLabel('The old key keeps').fill('2.50');
  await expect(page.getByText(/The new key gets \$7\.50 now/)).toBeVisible();
  await page.getByRole('button', { name: 'Create successor' }).click();
  await expect(page.getByRole('heading', { name: 'production is ready' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const successor = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByText(/^replaced, ends in/)).toBeVisible();
  await expect(page.getByText('0 % of $2.50')).toBeVisible();
  for (const key of [secret, successor]) {
    const answer = await page.request.get(`${installation.apiUrl}/key`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status()).toBe(200);
  }
  await page.getByRole('link', { name: 'its successor' }).click();
  await expect(page.getByText('0 % of $7.50')).toBeVisible();
  const limits = page.getByRole('region', { name: /^Limits/ });
  await expect(limits).toContainText('0 of 60');
  const answered = await page.request.post(`${installation.apiUrl}/chat/completions`, {
    headers: { authorization: `Bearer ${successor}` },
    data: { model: 'tollgate-demo', messages: [{ role: 'user', content: 'Hello' }] },
  });
  expect(answered.status()).toBe(200);
  // Told while the page is looked at, by the process that let it pass.
  await expect(limits).toContainText('1 of 60');
  await expect(limits).toContainText(/free again in \d+ s/);
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('radio', { name: 'At once' }).click();
  await expect(page.getByRole('button', { name: 'Replace and revoke' })).toBeDisabled();
  await page.getByLabel('Type production to confirm').fill('production');
  await page.getByRole('button', { name: 'Replace and revoke' }).click();
  await expect(page.getByRole('heading', { name: 'production is ready' })).toBeVisible();
  const refused = await page.request.get(`${installation.apiUrl}/key`, {
    headers: { authorization: `Bearer ${successor}` },
  });
  expect(refused.status()).toBe(401);
});

test('keys are sorted, found by their tags, and revoked together', async ({ page, person, installation }) => {
  const account = { email: person.email, id: person.accountId };
  await seedKey(installation, account, { name: 'cheap', lastUsedSecondsAgo: 5, spentNanoUsd: 1_000n });
  await seedKey(installation, account, { name: 'dear', lastUsedSecondsAgo: 500, spentNanoUsd: 9_000_000n });
  await seedKey(installation, account, { name: 'idle' });
  await signIn(page, person);
  // The tags beside them are links too.
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
  await page.getByLabel('Tags, parted by commas').fill('prod, team eu');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'team eu' }).click();
  await expect(page).toHaveURL(/tag=team/);
  await expect(names).toHaveText(['dear']);
  await page.getByLabel('Keys with the tag').selectOption('');
  await expect(names).toHaveCount(3);

  await page.getByRole('checkbox', { name: 'Choose idle' }).press('Space');
  await page.getByRole('checkbox', { name: 'Choose dear' }).press('Space');
  await expect(page.getByText('2 keys chosen')).toBeVisible();
  await page.getByRole('region', { name: 'Chosen keys' }).getByRole('button', { name: 'Revoke…' }).click();
  await page.getByLabel('Type revoke 2 keys to confirm').fill('revoke 2 keys');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 keys revoked')).toBeVisible();
  await expect(names).toHaveText(['cheap']);
});
