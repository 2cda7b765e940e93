import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { tollgate } from './installation.ts';
import { createOperator } from './operator-fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { openInstallationDatabase } from './seed.ts';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`screenshots of missing rates and request members, ${look.name}`, async ({ page, installation }) => {
      test.setTimeout(120_000);
      const provider = `rates-${look.name}`;
      const modelId = 'claude-sonnet-5';
      const add = ['provider', 'add', '--name', provider, '--preset', 'anthropic', '--api-key', 'sk-test'];
      await tollgate(installation, [...add, '--with-models']);
      const allow = ['--allow', 'stored.file,beta.brand-new'];
      await tollgate(installation, ['provider', 'members', '--name', provider, ...allow]);
      const db = await openInstallationDatabase(installation);
      await db.sql`UPDATE model_prices SET rates = rates || '{"inferenceGeos": {}}' WHERE model_id = ${modelId}`;
      await db.close();
      await signIn(page, await createOperator(installation));
      const see = async (what: string) => {
        await shooter(page, look.name)(what);
        await expectAccessible(page, what);
      };
      await page.goto('/operator/models');
      await expect(page.getByText('missing rates')).toHaveCount(1);
      await see('operator-models-missing-rates');
      await page.goto(`/operator/models/${modelId}`);
      await expect(page.getByRole('region', { name: 'Missing rates' })).toContainText('inference_geo:us');
      await page.getByText('2 additional rates').first().click();
      await see('operator-model-missing-rates');
      await page.getByRole('button', { name: 'Add published rates' }).click();
      await expect(page.getByRole('region', { name: 'Missing rates' })).toHaveCount(0);
      await expect(page.getByText('3 additional rates')).toBeVisible();
      await page.goto('/operator/providers');
      await page.getByRole('button', { name: `Request fields for ${provider}` }).click();
      await expect(page.getByRole('heading', { name: 'Allowed fields' })).toBeVisible();
      await see('operator-provider-members');
      await page.goto('/operator/system');
      await expect(page.getByText('set up your own second factor')).toBeVisible();
      await see('operator-two-factor');
      await tollgate(installation, ['provider', 'remove', provider]);
    });
  });
}
