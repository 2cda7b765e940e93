import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';
import { seedTeam } from './seed-team.ts';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`the team and audit log have no axe findings, with screenshots, ${look.name}`, async ({
      page,
      person,
      installation,
    }) => {
      test.setTimeout(240_000);
      const team = { accountId: person.accountId, ownerEmail: person.email, invited: `x.${person.email}` };
      const { token } = await seedTeam(installation, team);
      const see = async (what: string) => {
        await shooter(page, look.name)(what);
        await expectAccessible(page, what);
      };
      await page.goto(`/join?token=${token}`);
      await expect(page.getByRole('heading', { name: 'Join Acme' })).toBeVisible();
      await see('join');
      await signIn(page, person);
      await page.goto('/team');
      await expect(page.getByRole('row').filter({ hasText: team.invited })).toBeVisible();
      await see('team');
      await page.getByRole('button', { name: 'Invite member', exact: true }).click();
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await see('team-invite');
      await page.keyboard.press('Escape');
      const heir = getPeople(page).filter({ hasText: 'ada@' });
      await heir.getByRole('button', { name: /^Role of/ }).click();
      await see('team-role');
      await page.keyboard.press('Escape');
      await heir.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Make owner…' }).click();
      await see('team-transfer');
      await page.keyboard.press('Escape');
      await expect(heir.getByRole('button', { name: /^Actions for/ })).toBeFocused();
      await page.goto('/team/audit');
      await expect(page.getByText('renamed the account')).toBeVisible();
      await see('audit');
    });
  });
}

const getPeople = (page: Page) =>
  page.getByRole('table', { name: 'Members of this account' }).getByRole('row');
