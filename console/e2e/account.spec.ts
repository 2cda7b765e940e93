import { expect, signIn, test } from './fixtures.ts';
import { followLink, openMail, readCode } from './mailbox.ts';

test('a forgotten password is reset with the emailed link', async ({ page, context, person }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The previous page has a field of that name too.
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('we sent a link')).toBeVisible();
  const mail = await openMail(context, { to: person.email, subject: /password/i });
  const reset = await followLink(mail, /password/i);
  await reset.getByLabel('New password').fill('short');
  await reset.getByRole('button', { name: 'Set password' }).click();
  await expect(reset.getByText('Use at least 10 characters')).toBeVisible();
  await reset.getByLabel('New password').fill('three calm otters');
  await reset.getByRole('button', { name: 'Set password' }).click();
  await expect(reset.getByRole('heading', { name: 'Overview' })).toBeVisible();

  // The link works once.
  await reset.goBack();
  await reset.getByLabel('New password').fill('three calm otters again');
  await reset.getByRole('button', { name: 'Set password' }).click();
  await expect(reset.getByRole('alert')).toBeVisible();

  await context.clearCookies();
  await signIn(page, { email: person.email, password: 'three calm otters' });
});

test('an email address is changed with the emailed code, and the link opens a confirmation', async ({
  signedIn: page,
  context,
  person,
}) => {
  const next = person.email.replace('@', '.new@');
  await page.getByRole('link', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Email' });
  await section.getByLabel('New email').fill(next);
  await section.getByLabel('Your password', { exact: true }).fill('not the password');
  await section.getByRole('button', { name: 'Send confirmation email' }).click();
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByLabel('Your password', { exact: true }).fill(person.password);
  await section.getByRole('button', { name: 'Send confirmation email' }).click();
  await expect(section.getByText('We sent a 6-digit code')).toBeVisible();
  const mail = await openMail(context, { to: next, subject: /confirm/i });
  const code = await readCode(mail);
  const confirming = await followLink(mail, /confirm/i);
  await expect(confirming.getByRole('heading', { name: 'Confirm your new email' })).toBeVisible();
  await confirming.close();
  await section.getByLabel('Code').fill(code);
  await expect(section.getByText('Your email was changed.')).toBeVisible();
  await expect(section.getByText(`You sign in as ${next}`)).toBeVisible();
  await openMail(context, { to: person.email, subject: /changed/i });
});

test('after a password change the old password does not work', async ({ signedIn: page, person }) => {
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Password' });
  await section.getByLabel('Current password').fill('not the password');
  await section.getByLabel('New password').fill('four plain bridges');
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByLabel('Current password').fill(person.password);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password was changed')).toBeVisible();
  await page.getByRole('button', { name: person.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await signIn(page, { email: person.email, password: 'four plain bridges' });
});

test('signing out everywhere ends other sessions, which return to their page after sign-in', async ({
  signedIn: page,
  person,
  browser,
  installation,
}) => {
  const elsewhere = await browser.newContext({ baseURL: installation.consoleUrl });
  const other = await elsewhere.newPage();
  await signIn(other, person);
  await other.goto('/keys?state=ended');
  await expect(other.getByText('No keys yet')).toBeVisible();

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign out everywhere…' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await expect(page.getByText('You are signed out on all devices.')).toBeVisible();

  // The list refetches automatically and detects the end of the session.
  await expect(other.getByText('Your session expired.')).toBeVisible({ timeout: 15_000 });
  await other.getByLabel('Email').fill(person.email);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other).toHaveURL(/\/keys\?state=ended/);
  await expect(other.getByText('No keys yet')).toBeVisible();
  await elsewhere.close();
});

test('an unverified user is sent to the verification page', async ({ page, context }) => {
  const email = `unverified-${Date.now()}@example.com`;
  await page.goto('/sign-up');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a slow green river');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.getByLabel('Code').fill('000000');
  await expect(page.getByRole('alert')).toBeVisible();

  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a slow green river');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto('/keys');
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const mail = await openMail(context, { to: email, subject: /verify/i });
  const confirming = await followLink(mail, /verify/i);
  await confirming.getByRole('button', { name: 'Confirm email' }).click();
  await expect(confirming.getByRole('heading', { name: 'Overview' })).toBeVisible();
});
