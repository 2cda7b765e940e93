import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedRequests, SESSION } from './seed-requests.ts';

test('a conversation is read as one, from the list of sessions to a request', async ({
  page,
  person,
  installation,
}) => {
  const { retriedId } = await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/requests');
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  const row = page.getByRole('row', { name: new RegExp(SESSION) });
  await expect(row).toContainText('Claude Code');
  await expect(row).toContainText('12');
  await expectAccessible(page, 'sessions');
  await row.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/requests/session\\?session=${SESSION}`));
  await page.reload();
  await expect(page.getByText('4 errors', { exact: true })).toBeVisible();
  const turns = page.locator('a[data-request]');
  await expect(turns).toHaveCount(12);
  // The oldest comes first.
  await expect(turns.last()).toHaveAttribute('data-request', retriedId);
  await expectAccessible(page, 'session');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: SESSION })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/request=req_/);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await page.getByRole('link', { name: 'Show in log' }).click();
  await page.getByRole('button', { name: `Remove session filter: ${SESSION}` }).click();
  await expect(page).not.toHaveURL(/session=/);
});

for (const { name: look, viewport, colorScheme, isPhone } of LOOKS) {
  test.describe(look, () => {
    test.use({ viewport, colorScheme, isMobile: isPhone, hasTouch: isPhone });
    test('the pages of sessions', async ({ page, person, installation }) => {
      await seedRequests(installation, person.accountId);
      await signIn(page, person);
      const take = shooter(page, look);
      await page.goto('/requests/sessions');
      await expect(page.getByText(SESSION)).toBeVisible();
      await take('sessions');
      await page.goto(`/requests/session?session=${SESSION}`);
      await expect(page.locator('a[data-request]').first()).toBeVisible();
      await expectAccessible(page, `session, ${look}`);
      await take('session');
    });
  });
}
