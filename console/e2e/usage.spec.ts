import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { markUsageLate } from '@tollgate/db/queries/usage/rolls/late-hours';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedMonths } from './seed-usage.ts';
import { openInstallationDatabase, PICTURE_KEYS, seedKey } from './seed.ts';

test('a new account sees the onboarding checklist until its first request', async ({
  person,
  installation,
  page,
}) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Your first request' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Verify your email (done)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Create a key (to do)' })).toBeVisible();
  await expectAccessible(page, 'first steps');
  await shooter(page, 'light', { fullPage: true })('overview-first-steps');
  const account = { email: person.email, id: person.accountId };
  const key = await seedKey(installation, account, { name: 'first' });
  await expect(page.getByRole('heading', { name: 'Create a key (done)' })).toBeVisible();
  const answer = await fetch(`${installation.apiUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tollgate-demo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(answer.status).toBe(200);
  await expect(page.getByRole('heading', { name: 'Your first request' })).toHaveCount(0);
});

test('usage is grouped, measured and compared, and the export matches it', async ({
  page,
  person,
  installation,
}) => {
  await prepare(page, { ...person, installation });
  await page.goto('/usage?period=7d');
  await expect(page.getByRole('slider', { name: 'Spend by model' })).toBeVisible();
  await page.getByRole('radio', { name: 'Tag' }).click();
  await expect(page.getByRole('slider', { name: 'Spend by tag' })).toBeVisible();
  await expect(page.getByText('A key with several tags counts in each of them.')).toBeVisible();
  await page.getByRole('radio', { name: 'Key' }).click();
  await expect(page).toHaveURL(/group=key/);
  await expect(page.getByRole('slider', { name: 'Spend by key' })).toBeVisible();
  await page.getByRole('radio', { name: 'Table' }).click();
  const table = page.getByRole('region', { name: 'Spend by key' }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(8);
  await page.getByRole('checkbox', { name: 'Compare' }).click();
  await expect(table.getByRole('columnheader', { name: 'Previous period' })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const file = await (await downloading).path();
  const [head = '', ...rows] = (await readFile(file, 'utf8')).trim().split('\r\n');
  expect(head).toBe(
    'from,key_id,key_name,key_tags,requests,failed,input_tokens,cache_read_tokens,cache_write_tokens,cache_write_1h_tokens,output_tokens,cost_usd',
  );
  expect(rows).toHaveLength(14);
  await page.getByRole('link', { name: 'ci-evals' }).click();
  await expect(page).toHaveURL(/key=key_/);
  await expect(page.getByRole('button', { name: 'Key: ci-evals: show all' })).toBeVisible();
});

test('the totals of groups with long names fit at 1280 px', async ({ page, person, installation }) => {
  const account = { email: person.email, id: person.accountId };
  await seedKey(installation, account, { name: 'a-long-name-'.repeat(6) });
  await prepare(page, { ...person, installation });
  const db = await openInstallationDatabase(installation);
  // Long numbers too.
  await db.sql`UPDATE usage_hourly SET input_tokens = input_tokens * 1000 WHERE account_id = ${person.accountId}`;
  await markUsageLate(db, person.accountId);
  await db.close();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/usage?period=30d&group=key');
  const region = page.getByRole('region', { name: 'Keys in this period' });
  await expect(region.getByRole('columnheader', { name: /Time to first/ })).toBeVisible();
  await expect(region.getByRole('cell', { name: / \/ / }).first()).toBeVisible();
  const hidden = await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(hidden).toBe(0);
});

test('the keyboard moves through a chart step by step', async ({ page, person, installation }) => {
  await prepare(page, { ...person, installation });
  await page.goto('/overview?period=30d');
  const chart = page.getByRole('slider', { name: 'Spend by model' });
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('ArrowRight');
  await expect(chart).toHaveAttribute('aria-valuenow', '1');
  await expect(chart).toHaveAttribute('aria-valuetext', /: \$\d.*gpt-5-mini \$\d/);
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`overview and usage have no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      await prepare(page, { ...person, installation });
      const see = async (url: string, name: string) => {
        await page.goto(url);
        await expect(page.getByRole('slider').or(page.getByRole('table')).first()).toBeVisible();
        await shooter(page, look.name, { fullPage: true })(name);
        await expectAccessible(page, name);
      };
      await see('/overview', 'overview');
      await see('/usage?compare=on', 'usage');
      await see('/usage?period=today&metric=latency', 'usage-latency');
      await see('/usage?period=7d&group=status&view=table', 'usage-table');
      if (look.isPhone) {
        await page.goto('/usage');
        const figures = page.getByRole('region', { name: 'Models in this period' });
        await figures.evaluate((region) => region.scrollBy({ left: 190 }));
        const edge = await figures.boundingBox();
        const name = await figures.getByRole('rowheader', { name: 'Total' }).boundingBox();
        expect(name?.x, 'names stay while figures scroll').toBe(edge?.x);
        await shooter(page, look.name, { fullPage: true })('usage-figures');
        return;
      }
      await page.goto('/overview?period=today');
      await page.getByRole('slider').hover();
      await shooter(page, look.name)('overview-today-tooltip');
    });
  });
}

interface Prepared {
  email: string;
  password: string;
  accountId: string;
  installation: Parameters<typeof seedKey>[0];
}

/** An account with two months of usage of two keys. */
async function prepare(page: Page, { installation, ...person }: Prepared): Promise<void> {
  const account = { email: person.email, id: person.accountId };
  for (const { name, maxBudget, spentNanoUsd, lastUsedSecondsAgo } of PICTURE_KEYS.slice(-2)) {
    await seedKey(installation, account, {
      name,
      ...(maxBudget !== undefined && { maxBudget }),
      ...(spentNanoUsd !== undefined && { spentNanoUsd }),
      ...(lastUsedSecondsAgo !== undefined && { lastUsedSecondsAgo }),
    });
  }
  await seedMonths(installation, person.accountId);
  await signIn(page, person);
}
