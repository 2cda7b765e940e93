import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`the settings have no axe findings, with screenshots, ${look.name}`, async ({ page, person }) => {
      await signIn(page, person);
      await page.goto('/settings');
      await expect(page.getByText('This session')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Delete account…' })).toBeVisible();
      await shooter(page, look.name, { fullPage: true })('settings');
      await expectAccessible(page, 'settings');
      const shoot = shooter(page, look.name);
      await page.getByRole('button', { name: 'Set up an authenticator app…' }).click();
      const confirm = page.getByRole('alertdialog', { name: 'Confirm your identity' });
      await expect(confirm).toBeVisible();
      await shoot('settings-confirm');
      await expectAccessible(page, 'confirming identity');
      await confirm.getByLabel('Your password').fill(person.password);
      await confirm.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByLabel('Authenticator code')).toBeVisible();
      await shoot('settings-two-factor');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete account…' }).click();
      await shoot('settings-delete');
    });
  });
}
