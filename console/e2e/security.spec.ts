import type { Page } from '@playwright/test';
import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { openMail } from './mailbox.ts';

const START = /API keys|Overview/;

/** The code of an authenticator app; one step ahead of the clock is accepted. */
function appCode(secret: string, stepsAhead = 0): string {
  return totpCode(secret, totpStepAt(Date.now()) + stepsAhead);
}

async function confirmIdentity(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toBeHidden();
}

async function signOut(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

async function enterPassword(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('an authenticator app is set up, required, replaced by a recovery code and turned off', async ({
  signedIn: page,
  context,
  person,
}) => {
  await page.goto('/settings');
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await section.getByRole('button', { name: 'Set up an authenticator app…' }).click();
  await confirmIdentity(page, person.password);
  const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(setUp.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page, 'setting up an authenticator app');
  const secret = ((await setUp.getByTestId('totp-secret').textContent()) ?? '').replaceAll(' ', '');
  await setUp.getByLabel('Authenticator code').fill(appCode(secret));
  const kept = page.getByRole('dialog', { name: 'Two-factor authentication is on' });
  const items = kept.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const codes = await items.allTextContents();
  await expectAccessible(page, 'recovery codes');
  const download = page.waitForEvent('download');
  await kept.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('tollgate-recovery-codes.txt');
  await kept.getByRole('button', { name: 'I saved the codes' }).click();
  await expect(section.getByText('10 recovery codes left')).toBeVisible();
  await openMail(context, { to: person.email, subject: /two-factor authentication is on/i });

  await signOut(page, person.email);
  await enterPassword(page, person);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectAccessible(page, 'the second step');
  await page.getByLabel('Code').fill('000000');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Code').fill(appCode(secret, 1));
  await expect(page.getByRole('heading', { name: START })).toBeVisible();

  await signOut(page, person.email);
  await enterPassword(page, person);
  await page.getByRole('button', { name: 'Use recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: START })).toBeVisible();

  await page.goto('/settings');
  await expect(section.getByText('9 recovery codes left')).toBeVisible();
  await section.getByRole('button', { name: 'Turn off…' }).click();
  const turnOff = page.getByRole('alertdialog', { name: 'Turn off two-factor authentication?' });
  await turnOff.getByLabel('Authenticator or recovery code').fill(codes[1] ?? '');
  await turnOff.getByRole('button', { name: 'Turn off' }).click();
  await confirmIdentity(page, person.password);
  await expect(section.getByRole('button', { name: 'Set up an authenticator app…' })).toBeVisible();
  await signOut(page, person.email);
  await enterPassword(page, person);
  await expect(page.getByRole('heading', { name: START })).toBeVisible();
});

test('a passkey is added, confirms identity, signs in without a password and is removed', async ({
  page,
  person,
  installation,
}) => {
  // Passkeys belong to a host name, here localhost.
  const origin = installation.consoleUrl.replace('127.0.0.1', 'localhost');
  // The browser would select the only passkey automatically, but the test presses the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${origin}/sign-in`);
  await enterPassword(page, person);
  await expect(page.getByRole('heading', { name: START })).toBeVisible();
  await page.goto(`${origin}/settings`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey…' }).click();
  const add = page.getByRole('dialog', { name: 'Add a passkey' });
  await add.getByLabel('Name').fill('Desk');
  await add.getByRole('button', { name: 'Continue' }).click();
  await confirmIdentity(page, person.password);
  await expect(section.getByRole('listitem').filter({ hasText: 'Desk' })).toBeVisible();

  await section.getByRole('button', { name: 'Rename Desk' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('Laptop');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByRole('listitem').filter({ hasText: 'Laptop' })).toBeVisible();

  await signOut(page, person.email);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { name: START })).toBeVisible();

  await page.goto(`${origin}/settings`);
  await section.getByRole('button', { name: 'Remove Laptop' }).click();
  const remove = page.getByRole('alertdialog', { name: 'Remove Laptop?' });
  await remove.getByLabel('Type Laptop to confirm').fill('Laptop');
  await remove.getByRole('button', { name: 'Remove passkey' }).click();
  await page
    .getByRole('alertdialog', { name: 'Confirm your identity' })
    .getByRole('button', { name: 'Use a passkey instead' })
    .click();
  await expect(section.getByRole('listitem').filter({ hasText: 'Laptop' })).toBeHidden();
});

test('a user sees and ends another session', async ({ signedIn: page, person, browser, installation }) => {
  const elsewhere = await browser.newContext({
    baseURL: installation.consoleUrl,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const other = await elsewhere.newPage();
  await signIn(other, person);
  await page.goto('/settings');
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('This session');
  await sessions.getByRole('button', { name: 'Sign out Firefox on Linux' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await other.goto('/settings');
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await elsewhere.close();
});

test('a user deletes an account and forfeits the balance by typing it', async ({
  signedIn: page,
  context,
  person,
}) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
  await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled();
  await dialog.getByLabel(/to forfeit your balance/).fill('1.00');
  await expectAccessible(page, 'deleting an account');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await confirmIdentity(page, person.password);
  await expect(page.getByText('Your account is deleted.')).toBeVisible();
  await enterPassword(page, person);
  await expect(page.getByRole('alert')).toBeVisible();
  await openMail(context, { to: person.email, subject: /is deleted/i });
});
