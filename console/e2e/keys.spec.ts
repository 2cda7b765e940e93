import { expect, signIn, test } from './fixtures.ts';
import { createAccount } from './people.ts';
import { addMember, makeViewer, seedKey, seedManyKeys } from './seed.ts';

test('a viewer sees the keys but cannot create or revoke one', async ({ page, person, installation }) => {
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'seen-only' });
  await makeViewer(installation, person.accountId);
  await signIn(page, person);
  await expect(page.getByText('seen-only')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New key' })).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for seen-only' }).click();
  await expect(page.getByRole('menuitem', { name: 'Show details' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Revoke…' })).toHaveCount(0);
});

test('errors of the server and the schema are shown at their fields', async ({ signedIn: page }) => {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Budget', { exact: true }).fill('0');
  await page.getByLabel('Requests / min').fill('1.5');
  await page.getByLabel('Tokens / min').fill('2,000,000,000');
  await page.getByRole('radio', { name: 'Custom…' }).click();
  await page.getByLabel('Expiry date and time').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText('Enter a name for the key')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('The budget must be more than $0')).toBeVisible();
  await expect(page.getByText('Requests per minute must be a whole number')).toBeVisible();
  await expect(page.getByText('Tokens per minute can be at most 1,000,000,000')).toBeVisible();
  await page.getByLabel('Name').fill('later');
  await page.getByLabel('Budget', { exact: true }).fill('$1,000.25');
  await page.getByLabel('Requests / min').fill('60');
  await page.getByLabel('Tokens / min').fill('');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText(/in the future/)).toBeVisible();
  await page.getByRole('radio', { name: 'Never' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'later is ready' })).toBeVisible();
});

test('closing the dialog of a key that was not copied needs confirmation', async ({ signedIn: page }) => {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('unseen');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'unseen is ready' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('tab', { name: 'Shell' }).focus();
  await page.getByRole('button', { name: 'Copy Shell snippet' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^export SERVICE_API_KEY=sk-/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('unseen')).toBeVisible();
});

test('search and status filter are kept in the URL', async ({ page, person, installation }) => {
  const account = { email: person.email, id: person.accountId };
  await seedKey(installation, account, { name: 'alpha', maxBudget: '100', lastUsedSecondsAgo: 5 });
  await seedKey(installation, account, { name: 'beta', expiresInDays: 3 });
  await seedKey(installation, account, { name: 'gamma', isRevoked: true });
  await signIn(page, person);
  await expect(page.getByRole('radio', { name: 'Active 2' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Expiring 1' })).toBeVisible();
  await expect(page.getByText('$0.00 of $100')).toBeVisible();
  await page.getByRole('searchbox').fill('bet');
  await expect(page).toHaveURL(/q=bet/);
  await expect(page.getByText('beta', { exact: true })).toBeVisible();
  await expect(page.getByText('alpha', { exact: true })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('bet');
  await page.getByRole('searchbox').fill('gamma');
  await expect(page.getByText('No active key matches “gamma”')).toBeVisible();
  await page.getByRole('link', { name: 'Search revoked or expired keys' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'gamma' })).toContainText('revoked');
  await page.getByRole('button', { name: 'Actions for gamma' }).click();
  await expect(page.getByRole('menuitem', { name: 'Revoke…' })).toHaveCount(0);
});

test('a user with two accounts switches between them', async ({ page, person, installation }) => {
  const email = person.email.replace('@', '.guest@');
  await createAccount(installation, { email, password: person.password });
  await addMember(installation, email, person.accountId);
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'of-the-host' });
  await signIn(page, { email, password: person.password });
  await expect(page.getByText('No keys yet')).toBeVisible();
  await page.getByRole('button', { name: /Switch account/ }).click();
  await page.getByRole('menuitemradio', { name: person.email }).click();
  await expect(page.getByText('of-the-host')).toBeVisible();
  await page.reload();
  await expect(page.getByText('of-the-host')).toBeVisible();
});

test('more keys are loaded on demand without duplicates', async ({ page, person, installation }) => {
  await seedManyKeys(installation, person.accountId, 55);
  await signIn(page, person);
  const rows = page.getByRole('row').filter({ hasText: 'bulk-' });
  await expect(rows).toHaveCount(50);
  await expect(page.getByRole('radio', { name: 'Active 55' })).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows).toHaveCount(55);
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
});
