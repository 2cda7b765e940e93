import { expect, test } from './fixtures.ts';

test('the mailbox opens only with the link printed at startup', async ({ browser, installation }) => {
  const context = await browser.newContext({ baseURL: installation.consoleUrl });
  const page = await context.newPage();
  await page.goto('/dev/mailbox');
  await expect(page).toHaveTitle('Page not found · Tollgate');
  await page.goto(installation.localToolsLink);
  await expect(page).toHaveURL(/\/dev\/mailbox$/);
  await expect(page).toHaveTitle('Mailbox · Tollgate');
  await context.close();
});
