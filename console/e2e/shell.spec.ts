import type { Browser, Page } from '@playwright/test';
import { expect, signIn, test } from './fixtures.ts';
import type { Installation } from './installation.ts';

/** A page in a separate context that allows console errors, because refused connections are expected. */
async function openUnwatched(browser: Browser, installation: Installation): Promise<Page> {
  const context = await browser.newContext({ baseURL: installation.consoleUrl });
  return context.newPage();
}

const cutServer = (page: Page) => page.route('**/trpc/**', (route) => route.abort('connectionrefused'));
const healServer = (page: Page) => page.unroute('**/trpc/**');

test('the page reports an unreachable server and catches up afterwards', async ({
  browser,
  person,
  installation,
}) => {
  const page = await openUnwatched(browser, installation);
  await signIn(page, person);
  await cutServer(page);
  await page.getByRole('radio', { name: /Revoked or expired/ }).click();
  await expect(page.getByText(/server can’t be reached/)).toBeVisible();
  await healServer(page);
  await expect(page.getByText(/server can’t be reached/)).toHaveCount(0);
  await expect(page.getByText('No keys yet')).toBeVisible();
  await page.context().close();
});

test('a page opened while the server is unreachable offers to retry', async ({ browser, installation }) => {
  const page = await openUnwatched(browser, installation);
  await cutServer(page);
  await page.goto('/keys');
  await expect(page.getByRole('heading', { name: "The console's server can't be reached" })).toBeVisible();
  await healServer(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.context().close();
});

test('the chosen theme is applied before the first paint of the next visit', async ({ signedIn: page }) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await page.goto('/settings');
  expect(await theme()).toBe('light');
  await page.getByRole('radio', { name: 'Dark' }).click();
  expect(await theme()).toBe('dark');
  // Without the app's scripts, only the code before them runs.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload();
  expect(await theme()).toBe('dark');
  await page.unroute('**/assets/*.js');
});

test('display preferences follow the login to another device', async ({
  signedIn: page,
  person,
  browser,
  installation,
}) => {
  await page.goto('/settings');
  const zone = page.getByLabel('Time zone');
  await zone.selectOption('Asia/Tokyo');
  await page.getByRole('radio', { name: 'Exact ($65.432186905)' }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.reload();
  await expect(zone).toHaveValue('Asia/Tokyo');

  const device = await browser.newPage({ baseURL: installation.consoleUrl, colorScheme: 'light' });
  await signIn(device, person);
  await expect(device.locator('html')).toHaveAttribute('data-theme', 'dark');
  await device.goto('/overview');
  await expect(device.getByText('Times in Tokyo (UTC+9).')).toBeVisible();
  await device.goto('/settings');
  await expect(device.getByLabel('Time zone')).toHaveValue('Asia/Tokyo');
  await expect(device.getByRole('radio', { name: 'Exact ($65.432186905)' })).toBeChecked();
  await device.context().close();
});

test('every page has a unique title and sends requests only to the console', async ({
  signedIn: page,
  installation,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(installation.consoleUrl)) foreign.push(request.url());
  });
  for (const [path, title] of [
    ['/', 'Overview · Tollgate'],
    ['/usage', 'Usage · Tollgate'],
    ['/keys', 'API keys · Tollgate'],
    ['/billing', 'Billing · Tollgate'],
    ['/settings', 'Settings · Tollgate'],
    ['/dev/mailbox', 'Mailbox · Tollgate'],
    ['/nowhere', 'Page not found · Tollgate'],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
  }
  expect(foreign).toEqual([]);
});

test('a narrow window with a mouse scrolls no page sideways', async ({ signedIn: page }) => {
  // With a mouse, shortcuts are shown and need space.
  expect(await page.evaluate(() => matchMedia('(pointer: fine)').matches)).toBe(true);
  const measure = () => {
    const { scrollWidth, clientWidth } = document.scrollingElement ?? document.documentElement;
    return { scrollWidth, clientWidth };
  };
  const tooWide: string[] = [];
  for (const path of [
    '/overview',
    '/keys',
    '/requests',
    '/models',
    '/usage',
    '/billing',
    '/team',
    '/settings',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of [768, 767, 375]) {
      await page.setViewportSize({ width, height: 820 });
      const { scrollWidth, clientWidth } = await page.evaluate(measure);
      if (scrollWidth > clientWidth) tooWide.push(`${path}: ${scrollWidth} px in ${clientWidth} px`);
    }
  }
  expect(tooWide).toEqual([]);
});
