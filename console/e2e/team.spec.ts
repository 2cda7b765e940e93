import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, openLocalTools, PASSWORD, test } from './fixtures.ts';
import { followLink, openMail } from './mailbox.ts';
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
  for (const context of [computer, elsewhere]) await openLocalTools(context, installation);
  const other = await joinByMail({ signUpIn: computer, verifyIn: elsewhere }, email, person.email);
  await computer.close();
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

/** Signs up with the email's link, then joins from the verification page, in another browser. */
async function joinByMail(
  { signUpIn, verifyIn }: { signUpIn: BrowserContext; verifyIn: BrowserContext },
  email: string,
  account: string,
): Promise<Page> {
  const mail = await openMail(signUpIn, { to: email, subject: /invited/i });
  const first = await followLink(mail, /invitation/i);
  await expect(first.getByRole('heading', { name: `Join ${account}` })).toBeVisible();
  await first.getByRole('link', { name: 'Create an account' }).click();
  await expect(first.getByLabel('Email')).toHaveValue(email);
  await first.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await first.getByRole('button', { name: 'Create account' }).click();
  await expect(first.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const verification = await openMail(verifyIn, { to: email, subject: /verify/i });
  const page = await followLink(verification, /verify/i);
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: `Join ${account}` })).toBeVisible();
  await page.getByRole('button', { name: 'Join account' }).click();
  await expect(page.getByText(`You are now a member of ${account}`)).toBeVisible();
  return page;
}

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
