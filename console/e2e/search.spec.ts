import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { createOperator } from './operator-fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedRequests } from './seed-requests.ts';

const LABEL = { name: /Search pages/ };

test('a member finds a request and a key by content, with the keyboard only', async ({
  page,
  person,
  installation,
}) => {
  const seeded = await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', LABEL);
  await field.fill(seeded.refusedId);
  const request = page.getByRole('group', { name: 'Requests' }).getByRole('option');
  await expect(request).toContainText(seeded.refusedId);
  await expectAccessible(page, 'palette with content');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`request=${seeded.refusedId}`));
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await field.fill(seeded.secret.slice(-4));
  await page.getByRole('option', { name: seeded.keyName }).click();
  await expect(page.getByRole('heading', { name: seeded.keyName, level: 1 })).toBeVisible();

  // Without the server, the palette says so and searches again on request.
  await page.route('**/trpc/**search.find**', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await field.fill('req_unreachable');
  await expect(page.getByRole('alert')).toContainText('The search failed');
  await page.unroute('**/trpc/**search.find**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing matches “req_unreachable”.')).toBeVisible();
});

test('an operator finds a request of any account and opens it after giving a reason', async ({
  page,
  person,
  installation,
}) => {
  const seeded = await seedRequests(installation, person.accountId);
  await signIn(page, await createOperator(installation));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', LABEL).fill(seeded.refusedId);
  const found = page.getByRole('group', { name: 'All accounts' }).getByRole('option');
  await expect(found).toContainText(`Request of ${person.email}`);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `View as ${person.email}` });
  await dialog.getByLabel('Reason').fill('a ticket');
  await dialog.getByRole('button', { name: 'View as account' }).click();
  await expect(page).toHaveURL(new RegExp(`request=${seeded.refusedId}`));
  await expect(page.getByRole('dialog')).toContainText(seeded.refusedId);
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport, colorScheme: look.colorScheme });
    test(`the search of all accounts, ${look.name}`, async ({ page, person, installation }) => {
      await signIn(page, await createOperator(installation));
      const shoot = shooter(page, look.name);
      await page.getByRole('button', { name: 'Search and commands' }).click();
      await page.getByRole('combobox', LABEL).fill(person.email.slice(0, 12));
      await expect(page.getByRole('option', { name: /Account$/ }).first()).toBeVisible();
      await expectAccessible(page, 'search of all accounts');
      await shoot('search-all-accounts');
    });
  });
}
