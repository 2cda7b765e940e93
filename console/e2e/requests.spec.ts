import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { createOperator } from './operator-fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedRequests } from './seed-requests.ts';

test('the log is filtered by URL, navigated by keyboard, shared and saved', async ({
  page,
  person,
  installation,
}) => {
  const seeded = await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.getByRole('link', { name: 'Requests' }).click();
  await expect(rows(page).first()).toBeVisible();

  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: '4xx rejected' }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(rows(page)).toHaveCount(4);
  await page.reload();
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Key', exact: true }).click();
  await page.getByRole('combobox', { name: 'Search: key' }).fill('ci');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(3);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page).nth(4)).toBeVisible();
  await page.keyboard.press('j');
  const outline = await rows(page)
    .first()
    .getByRole('link')
    .first()
    .evaluate((link) => getComputedStyle(link, '::after').outlineStyle);
  expect(outline, 'the focus of a row').toBe('solid');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText(seeded.retriedId)).toBeVisible();
  await expect(drawer.getByText('1,900 cached × $0.30 / M')).toBeVisible();
  await drawer.getByText(/effective since/).click();
  await expect(drawer.getByRole('row', { name: 'Cache write (1 h)' })).toBeVisible();
  await expect(drawer.getByText('Usage reported by the provider')).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(drawer.getByText('budget_exceeded')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`request=${seeded.refusedId}`));
  await drawer.getByRole('button', { name: 'Request above' }).click();
  await expect(page).not.toHaveURL(new RegExp(`request=${seeded.refusedId}`));
  await drawer.getByRole('button', { name: 'Request below' }).click();
  await expect(page).toHaveURL(new RegExp(`request=${seeded.refusedId}`));
  await page.reload();
  await expect(drawer.getByText("The API key's remaining budget is too low")).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page.locator(`[data-request="${seeded.refusedId}"]`)).toBeFocused();
});

test('an operator sees the usage reported by the provider', async ({ page, installation }) => {
  const operator = await createOperator(installation);
  const { retriedId } = await seedRequests(installation, operator.accountId);
  await signIn(page, operator);
  await page.goto(`/requests?request=${retriedId}`);
  const drawer = page.getByRole('dialog');
  const usage = drawer.getByText('"cache_read_input_tokens": 1900');
  await expect(usage).toBeHidden();
  await drawer.getByText('Usage reported by the provider').click();
  await expect(usage).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Copy reported usage' })).toBeVisible();
});

test('failures are grouped by cause, with an example and what to do', async ({ page, installation }) => {
  const operator = await createOperator(installation);
  await seedRequests(installation, operator.accountId);
  await signIn(page, operator);
  await page.goto('/requests');
  await page.getByRole('link', { name: 'Errors', exact: true }).click();
  await expect(page).toHaveURL(/\/requests\/errors/);
  await page.goto('/requests/errors');
  const budget = page.getByRole('row', { name: /budget_exceeded/ });
  await expect(budget).toContainText('The budget of this key is used up.');
  await expect(budget).toContainText('Create a key with a higher budget.');
  await expectAccessible(page, 'errors');
  await budget.getByRole('link', { name: 'Open newest' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('The budget of this key is used up.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Copy for support' }).click();
  await expect(drawer.getByRole('button', { name: 'Copied' })).toBeVisible();

  await page.goto('/operator/errors?provider=some-cloud');
  const overloaded = page.getByRole('row', { name: /overloaded_error/ });
  await expect(overloaded).toContainText('Overloaded');
  await expect(overloaded).toContainText('were answered by another attempt');
  await expectAccessible(page, 'provider errors');
});

test('a new request appears in the log automatically without moving a scrolled list', async ({
  page,
  person,
  installation,
}) => {
  const { secret } = await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/requests');
  await expect(page.getByRole('switch', { name: 'Live' })).toBeChecked();
  const call = () => callDemo(installation.apiUrl, secret);
  await call();
  await expect(rows(page).first()).toContainText('tollgate-demo');
  await page.mouse.move(700, 600);
  await page.mouse.wheel(0, 2_000);
  await expect(rows(page).first()).not.toContainText('tollgate-demo');
  await call();
  await page.getByRole('button', { name: '1 new' }).click();
  await expect(rows(page).nth(1)).toContainText('tollgate-demo');
  await page.getByRole('switch', { name: 'Live' }).click();
  await expect(page).toHaveURL(/live=off/);
});

test('an admin enables request logging, reads a logged payload in the drawer and deletes it', async ({
  page,
  person,
  installation,
}) => {
  const { secret } = await seedRequests(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/requests');
  await rows(page).first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('request logging is off')).toBeVisible();
  await drawer.getByRole('link', { name: 'Turn on request logging' }).click();
  await keepBodies(page, person.password);

  await callDemo(installation.apiUrl, secret);
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.locator('tr[data-index]', { hasText: 'tollgate-demo' }).first().click();
  await expect(drawer.getByRole('region', { name: 'Request', exact: true })).toContainText(
    '"content": "Hello"',
  );
  await expect(drawer.getByRole('region', { name: 'Response', exact: true })).toContainText(
    '"finish_reason": "stop"',
  );
  await drawer.getByRole('radio', { name: 'Raw' }).first().click();
  await expect(drawer.getByRole('region', { name: 'Request', exact: true })).toContainText(
    '"content":"Hello"',
  );

  await page.goto('/team');
  await page.getByRole('button', { name: 'Turn off…' }).click();
  await page.getByLabel(/^Type .* to confirm$/).fill(person.email);
  await page.getByRole('button', { name: 'Turn off and delete' }).click();
  await expect(page.getByRole('region', { name: 'Request logging' })).toContainText('Off');
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`the request log has no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      test.setTimeout(120_000);
      const seeded = await seedRequests(installation, person.accountId);
      await signIn(page, person);
      const see = async (what: string) => {
        await shooter(page, look.name)(what);
        await expectAccessible(page, what);
      };
      await page.goto('/requests');
      await expect(rows(page).first()).toBeVisible();
      if (look.isPhone) await page.getByRole('button', { name: 'Filters' }).click();
      await see('requests');
      await page.goto(`/requests?request=${seeded.retriedId}`);
      await expect(page.getByText('Cost breakdown')).toBeVisible();
      await see('request');
      await page.goto(`/requests?request=${seeded.refusedId}`);
      await expect(page.getByRole('dialog').getByText('budget_exceeded')).toBeVisible();
      await see('request-refused');
      await page.goto('/team#bodies');
      await turnOnLogging(page).click();
      await see('bodies-keep');
      await page.keyboard.press('Escape');
      await turnOnLogging(page).waitFor();
      await keepBodies(page, person.password);
      await see('bodies-kept');
      await callDemo(installation.apiUrl, seeded.secret);
      await page.goto('/requests');
      await page.locator('tr[data-index]', { hasText: 'tollgate-demo' }).first().click();
      const answer = page.getByRole('dialog').getByRole('region', { name: 'Response', exact: true });
      await answer.scrollIntoViewIfNeeded();
      await expect(answer).toContainText('finish_reason');
      await see('request-bodies');
      await page.goto('/requests?model=nothing-like-it&status=5xx');
      await expect(page.getByText('No matching requests')).toBeVisible();
      await see('requests-no-match');
    });
  });
}

/** Turns request logging on for a week on the team page, with step-up authentication. */
async function keepBodies(page: Page, password: string): Promise<void> {
  await turnOnLogging(page).click();
  await page.getByRole('button', { name: 'Turn on logging' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('region', { name: 'Request logging' })).toContainText('for 7 days');
}

/** Stored responses have a button with the same name. */
function turnOnLogging(page: Page) {
  return page.getByRole('region', { name: 'Request logging' }).getByRole('button', { name: 'Turn on…' });
}

function rows(page: Page) {
  return page.locator('tr[data-index]');
}

async function callDemo(apiUrl: string, secret: string): Promise<void> {
  const response = await fetch(`${apiUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tollgate-demo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(response.status).toBe(200);
}
