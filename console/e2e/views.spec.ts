import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { seedRequests, SESSION } from './seed-requests.ts';

test('filters are saved as a view, opened by its link, changed and deleted', async ({
  page,
  person,
  installation,
}) => {
  await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/requests?status=4xx&range=24h');
  await page.getByRole('button', { name: 'Views' }).click();
  await expect(page.getByText('Set filters, then save them here.')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Rejected today');
  await expectAccessible(page, 'dialog of a view');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  const menu = page.getByRole('button', { name: /^Rejected today/ });
  await expect(menu).toBeVisible();
  await expect(page).toHaveURL(/view=view_/);
  const link = page.url();

  await page.goto(link.replace('status=4xx', 'status=5xx'));
  await expect(menu).toContainText('(changed)');
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Update this view' }).press('Enter');
  await expect(menu).not.toContainText('(changed)');

  await page.goto('/requests');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitemradio', { name: 'Rejected today' }).click();
  await expect(page).toHaveURL(/status=5xx/);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click();
  await dialog.getByLabel('Name').fill('Failed today');
  await dialog.getByLabel('Share with the account').click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  const renamed = page.getByRole('button', { name: 'Failed today' });
  await renamed.click();
  await expect(page.getByRole('menuitemradio', { name: 'Failed today Shared' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Delete view…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
  await expect(page).not.toHaveURL(/view=/);
});

test('columns are chosen with the keyboard, and kept in the browser', async ({
  page,
  person,
  installation,
}) => {
  await page.setViewportSize({ width: 1440, height: 820 });
  await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/requests');
  const session = page.getByRole('columnheader', { name: 'Session' });
  await expect(page.getByRole('columnheader', { name: 'Client' })).toBeVisible();
  await expect(session).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Client' }).press('Space');
  await page.getByRole('menuitemcheckbox', { name: 'Session' }).press('Space');
  await page.keyboard.press('Escape');
  await expect(session).toBeVisible();
  await page.reload();
  await expect(session).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Client' })).toHaveCount(0);

  await page.setViewportSize({ width: 375, height: 812 });
  await expect(page.locator('tbody').getByText(SESSION).first()).toBeVisible();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await expect(page.locator('tbody').getByText(SESSION)).toHaveCount(0);
});
