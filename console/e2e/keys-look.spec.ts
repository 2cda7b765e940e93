import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedKey } from './seed.ts';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`key management has no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      test.setTimeout(180_000);
      const account = { email: person.email, id: person.accountId };
      await seedKey(installation, account, { name: 'staging', rpm: '120' });
      await seedKey(installation, account, {
        name: 'production-api',
        models: 'tollgate-demo',
        maxBudget: '100',
        rpm: '600',
        tpm: '400000',
        spentNanoUsd: 61_200_000_000n,
        weekNanoUsd: 14_820_000_000n,
        weekRequests: 41_208,
        lastUsedSecondsAgo: 12,
      });
      await signIn(page, person);
      const see = async (what: string) => {
        const isVeiled = (await page.locator('[role="dialog"], [role="alertdialog"]').count()) > 0;
        await shooter(page, look.name, { fullPage: !isVeiled })(what);
        await expectAccessible(page, what);
      };
      await page.getByRole('checkbox', { name: 'Select production-api' }).click();
      await page.getByRole('checkbox', { name: 'Select staging' }).click();
      await see('keys-chosen');
      await page
        .getByRole('region', { name: 'Selected keys' })
        .getByRole('button', { name: 'Revoke…' })
        .click();
      await see('keys-revoke-many');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'production-api' }).click();
      await expect(page.getByRole('heading', { name: 'Spend by model' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Recent requests' })).toBeVisible();
      await page.getByRole('button', { name: 'Edit tags' }).click();
      await page.getByLabel('Tags, comma-separated').fill('prod, team-search');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('link', { name: 'team-search' })).toBeVisible();
      await see('key-page');
      await page.getByRole('button', { name: 'Rotate…' }).click();
      await see('key-rotate');
      await page.getByRole('radio', { name: 'Immediately' }).click();
      await see('key-rotate-at-once');
      await page.keyboard.press('Escape');
    });
  });
}
