import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, openLocalTools, PASSWORD, signIn, test } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { followLink, openMail } from './mailbox.ts';
import { createAccount } from './people.ts';
import { seedTeam } from './seed-team.ts';

test('an invitee without a login joins, uses the permissions of the role and is removed', async ({
  signedIn: page,
  person,
  browser,
  installation,
}) => {
  test.setTimeout(240_000);
  const email = `invited-${randomBytes(3).toString('hex')}@example.com`;
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Invite member', exact: true }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: 'Viewer' }).click();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Viewer');

  const [computer, elsewhere] = await Promise.all([
    browser.newContext({ baseURL: installation.consoleUrl }),
    browser.newContext({ baseURL: installation.consoleUrl }),
  ]);
  await openLocalTools(computer, installation);
  const invitation = await followLink(
    await openMail(computer, { to: email, subject: /invited/i }),
    /invitation/i,
  );
  await expect(invitation.getByRole('heading', { name: `Join ${person.email}` })).toBeVisible();
  await invitation.getByLabel('Choose a password', { exact: true }).fill(PASSWORD);
  await invitation.getByRole('button', { name: 'Join account' }).click();
  await expect(invitation.getByText(`You are now a member of ${person.email}`)).toBeVisible();
  const mails = await openMail(computer, { to: email, subject: /invited/i });
  await mails.page.goto('/dev/mailbox');
  await expect(mails.page.getByRole('link').filter({ hasText: email })).toHaveCount(1);
  await computer.close();
  // Another device opens the account that invited them.
  const other = await elsewhere.newPage();
  await signIn(other, { email, password: PASSWORD });
  await expect(other.getByRole('button', { name: new RegExp(`Account: ${person.email}`) })).toBeVisible();
  await expectViewer(other);

  const row = page.getByRole('row').filter({ hasText: email });
  await page.reload();
  await row.getByRole('button', { name: /^Role of/ }).click();
  await page.getByRole('menuitemradio', { name: /^Member/ }).click();
  await expect(row.getByRole('button', { name: /: Member$/ })).toBeVisible();
  await other.goto('/keys');
  await expect(other.getByRole('button', { name: 'New key' })).toBeVisible();
  await other.goto('/team');
  await expect(other.getByRole('button', { name: 'Invite member', exact: true })).toHaveCount(0);

  await other.goto('/keys');
  await row.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByLabel(`Type ${email} to confirm`).fill(email);
  await page.getByRole('button', { name: 'Remove member', exact: true }).click();
  await expect(row).toHaveCount(0);
  // The open page refetches automatically, and switches to the remaining account.
  await expect(other.getByText(`You are no longer a member of ${person.email}`)).toBeVisible({
    timeout: 20_000,
  });
  await expect(other.getByText(email, { exact: true }).first()).toBeVisible();

  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const deed of [`invited ${email} as viewer`, 'joined as viewer', `removed ${email}, member`])
    await expect(page.getByText(deed)).toBeVisible();
  await page.getByLabel('Type', { exact: true }).selectOption('Members');
  await expect(page).toHaveURL(/kind=member/);
  await expect(page.getByText('joined as viewer')).toHaveCount(0);
  await elsewhere.close();
});

test('an invitee joins by signing in with a password or a provider, in two clicks', async ({
  signedIn: page,
  person,
  browser,
  installation,
}) => {
  const password = await createInvitee(installation);
  const atProvider = `acme-${randomBytes(4).toString('hex')}@example.com`;
  await page.goto('/team');
  for (const email of [password, atProvider]) {
    await page.getByRole('button', { name: 'Invite member', exact: true }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible();
  }
  const open = async (email: string) => {
    const context = await browser.newContext({ baseURL: installation.consoleUrl });
    await openLocalTools(context, installation);
    return followLink(await openMail(context, { to: email, subject: /invited/i }), /invitation/i);
  };
  const joined = `You are now a member of ${person.email}`;
  const first = await open(password);
  await first.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await first.getByRole('button', { name: 'Sign in and join' }).click();
  await expect(first.getByText(joined)).toBeVisible();
  await expect(first.getByRole('button', { name: new RegExp(`Account: ${person.email}`) })).toBeVisible();
  await first.context().close();

  const second = await open(atProvider);
  await second.getByRole('button', { name: 'Continue with Acme' }).click();
  await second.getByLabel('Email').fill(atProvider);
  await second.getByRole('button', { name: 'Go on' }).click();
  await expect(second.getByText(joined)).toBeVisible();
  await second.goto('/settings');
  await expect(second.getByText(atProvider, { exact: true }).first()).toBeVisible();
  await second.context().close();
});

test('an owner is asked once for the name of the account', async ({ signedIn: page, person }) => {
  await page.goto('/overview');
  await page.getByLabel('Account name').fill('Heron Ltd');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('heading', { name: 'Name this account' })).toHaveCount(0);
  await expect(page.getByRole('complementary').getByText('Heron Ltd')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('complementary').getByText('Heron Ltd')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Name this account' })).toHaveCount(0);
  await page.goto('/team/audit');
  await expect(page.getByText(`renamed the account from ${person.email} to Heron Ltd`)).toBeVisible();
});

test('an owner transfers an account by typing its name, then leaves it', async ({
  signedIn: page,
  person,
  installation,
}) => {
  const team = {
    accountId: person.accountId,
    ownerEmail: person.email,
    invited: 'missing@hand-over.example',
  };
  await seedTeam(installation, team);
  await page.goto('/team');
  const heir = getPeople(page).filter({ hasText: 'ada@' });
  await heir.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Make owner…' }).click();
  await expect(page.getByText('Your saved card is removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Transfer ownership' })).toBeDisabled();
  await page.getByLabel('Type Acme to confirm').fill('Acme');
  await page.getByRole('button', { name: 'Transfer ownership' }).click();
  await page.getByLabel('Your password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(heir).toContainText('Owner');
  const mine = getPeople(page).filter({ hasText: person.email });
  await expect(mine).toContainText('Admin');
  await expect(heir.getByRole('button')).toHaveCount(0);
  await mine.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Leave account…' }).click();
  await page.getByLabel('Type Acme to confirm').fill('Acme');
  await page.getByRole('button', { name: 'Leave account' }).click();
  await expect(page.getByText('You are not a member of any account')).toBeVisible();
});

/** Expects no button that the server refuses. */
async function expectViewer(page: Page): Promise<void> {
  await page.goto('/keys');
  await expect(page.getByText('No keys yet')).toBeVisible();
  await expect(page.getByRole('button', { name: /New key|Create key/ })).toHaveCount(0);
  await page.goto('/billing');
  await expect(page.getByText('Only owners and admins can make changes')).toBeVisible();
  await expect(page.getByRole('button', { name: /Top up|Set up|Change/ })).toHaveCount(0);
  await page.goto('/team');
  await expect(page.getByRole('row').filter({ hasText: 'Owner' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Invite$|Rename|Role of)/ })).toHaveCount(0);
  await page.goto('/team/audit');
  await expect(page.getByText('Only owners and admins can open this page')).toBeVisible();
}

const getPeople = (page: Page) =>
  page.getByRole('table', { name: 'Members of this account' }).getByRole('row');

async function createInvitee(installation: Installation): Promise<string> {
  const email = `login-${randomBytes(4).toString('hex')}@example.com`;
  await createAccount(installation, { email, password: PASSWORD });
  return email;
}
