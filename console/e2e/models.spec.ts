import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { tollgate } from './installation.ts';
import { seedPrices } from './operator-fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { addModels, makeViewer } from './seed.ts';

test.beforeAll(async ({ installation }) => {
  await addModels(installation);
  // All kinds of prices.
  await seedPrices(installation, 'priced-by-length');
  await tollgate(installation, ['plan', 'add', '--name', 'dearer', '--price-multiplier', '1.2']);
  // A price without a route.
  await tollgate(installation, [
    'model',
    'add',
    '--id',
    'without-route',
    '--input-price',
    '1',
    '--output-price',
    '2',
  ]);
});

test('models are searched, sorted, copied and opened in the playground', async ({ signedIn: page }) => {
  await page.getByRole('link', { name: 'Models' }).click();
  await expect(page.getByRole('rowheader', { name: /gpt-5-mini/ })).toBeVisible();
  await expect(page.getByText('without-route')).toHaveCount(0);

  await page.getByRole('button', { name: 'Input' }).click();
  await expect(page).toHaveURL(/sort=input/);
  await page.getByRole('button', { name: 'Input' }).click();
  await expect(page.getByRole('columnheader', { name: 'Input', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(page.getByRole('rowheader').first()).toContainText('claude-sonnet-4-5');

  await page.getByRole('radio', { name: /^All/ }).click();
  await expect(page.getByRole('row').filter({ hasText: 'without-route' })).toContainText('No route');
  await expect(page.getByRole('link', { name: 'Try without-route' })).toHaveCount(0);

  await page.getByRole('searchbox').fill('mini');
  await expect(page).toHaveURL(/q=mini/);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('button', { name: 'Copy model ID gpt-5-mini' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('gpt-5-mini');
  await page.getByRole('searchbox').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No models found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('link', { name: 'Try gpt-5-mini' }).click();
  await expect(page).toHaveURL(/\/playground\?model=gpt-5-mini/);
  await expect(page.getByRole('button', { name: 'Model gpt-5-mini' })).toBeVisible();
});

test('prices are what the plan charges, on the page and in the playground', async ({
  signedIn: page,
  person,
  installation,
}) => {
  const setPlan = (plan: string) =>
    tollgate(installation, ['account', 'set-plan', '--email', person.email, '--plan', plan]);
  const row = page.getByRole('row').filter({ hasText: 'claude-sonnet-4-5' });
  await setPlan('dearer');
  await page.goto('/models');
  await expect(page.getByText(/multiplier of 1.2 is included/)).toBeVisible();
  await expect(row).toContainText('$3.60list price $3.00');
  await expect(row).toContainText('$18.00list price $15.00');
  await page.goto('/playground?model=claude-sonnet-4-5');
  await expect(page.getByText('$3.60 in, $18.00 out, per million tokens.')).toBeVisible();
  await setPlan('internal');
  await page.goto('/models');
  await expect(page.getByText('Your plan charges nothing.')).toBeVisible();
  await expect(row).toContainText('$0.00list price $3.00');
});

test('a viewer sees the models without links to paid actions', async ({ page, person, installation }) => {
  await makeViewer(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/models');
  await expect(page.getByRole('rowheader', { name: /gpt-5-mini/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Try/ })).toHaveCount(0);
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });
    test(`the models have no axe findings, with screenshots, ${look.name}`, async ({
      signedIn: page,
      person,
      installation,
    }) => {
      const { email } = person;
      await tollgate(installation, ['account', 'set-plan', '--email', email, '--plan', 'dearer']);
      await page.goto('/models?show=all');
      await expect(page.getByText('without-route')).toBeVisible();
      await shooter(page, look.name, { fullPage: true })('models');
      await expectAccessible(page, 'models');
    });
  });
}
