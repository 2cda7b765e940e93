import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';

test('the command palette opens pages, finds keys, creates a key and opens the shortcuts', async ({
  signedIn: page,
}) => {
  const field = page.getByRole('combobox', { name: /Search pages/ });
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('create key');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('of-the-palette');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'I saved the key' }).click();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('of-the-pal');
  await expect(page.getByRole('option', { name: /of-the-palette/ })).toBeVisible();
  await field.fill('docs');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Docs', level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Command palette');
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });
    test(`the docs show the installation’s URLs and have no axe findings, ${look.name}`, async ({
      signedIn: page,
      installation,
    }) => {
      const see = async (what: string) => {
        await shooter(page, look.name)(what);
        await expectAccessible(page, what);
      };
      await page.goto('/docs');
      await expect(page.getByRole('region', { name: 'Code' })).toContainText(
        `base_url="${installation.apiUrl}"`,
      );
      await see('docs-quickstart');
      await page.getByRole('combobox', { name: 'SDK' }).selectOption('anthropic-typescript');
      await expect(page.getByRole('region', { name: 'Code' })).toContainText('@anthropic-ai/sdk');
      await page.getByRole('tab', { name: 'Errors' }).click();
      await expect(page.getByRole('rowheader', { name: /budget_exceeded/ })).toBeVisible();
      await see('docs-errors');
      await page.getByRole('tab', { name: 'Limits and headers' }).click();
      await see('docs-limits');
      // The running api serves the description.
      await page.getByRole('tab', { name: 'Reference' }).click();
      await expect(page.getByText('/v1/messages/count_tokens')).toBeVisible();
      await see('docs-reference');
    });
  });
}
