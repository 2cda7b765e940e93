import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, PASSWORD, test } from './fixtures.ts';
import { openMail, readCode } from './mailbox.ts';
import { LOOKS, shooter } from './pictures.ts';

/** Presses the button, and signs in at the provider. */
async function comeFromAcme(page: Page, email: string, isVerified = true): Promise<void> {
  await page.goto('/sign-in?redirect=%2Fbilling');
  await page.getByRole('button', { name: 'Continue with Acme' }).click();
  await answerAtAcme(page, email, isVerified);
}

async function answerAtAcme(page: Page, email: string, isVerified = true): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Acme', exact: true })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  if (!isVerified) await page.getByLabel('Verified').uncheck();
  await page.getByRole('button', { name: 'Go on' }).click();
}

const newEmail = () => `acme-${randomBytes(4).toString('hex')}@example.com`;

test('a new user signs up with a provider and returns to the requested page', async ({ page }) => {
  await comeFromAcme(page, newEmail());
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
});

test('an existing user confirms the account once before a provider is linked', async ({ page, person }) => {
  await comeFromAcme(page, person.email);
  await expect(page.getByRole('heading', { name: 'Is this your account?' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Link and sign in' }).click();
  await expect(page.getByText('Wrong password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Link and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
});

test('a provider is linked and unlinked in the settings', async ({ signedIn: page }) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Link Acme' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await question.getByLabel('Your password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Confirm' }).click();
  const email = newEmail();
  await answerAtAcme(page, email);
  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Unlink Acme…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink Acme' }).click();
  await expect(page.getByText('Acme is not linked')).toBeVisible();
});

test('a user without a password sets up two factors after a new sign-in at the provider', async ({
  page,
}) => {
  const email = newEmail();
  await comeFromAcme(page, email);
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Set up an authenticator app…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await expect(question.getByRole('button', { name: 'Email me a code' })).toBeVisible();
  await expectAccessible(page, 'confirmation without a password');
  await question.getByRole('button', { name: 'Continue with Acme' }).click();
  await answerAtAcme(page, email);
  await expect(page.getByText('Identity confirmed.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Set up an authenticator app…' }).click();
  await expect(page.getByRole('dialog', { name: 'Set up an authenticator app' })).toBeVisible();
});

test('a user without a password sets one with an emailed code', async ({ page, context }) => {
  const email = newEmail();
  await comeFromAcme(page, email);
  await expect(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
  await page.goto('/settings');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await question.getByRole('button', { name: 'Email me a code' }).click();
  await expect(question.getByLabel('Code from the email')).toBeFocused();
  const code = await readCode(await openMail(context, { to: email, subject: /confirmation code/ }));
  await question.getByLabel('Code from the email').fill(code);
  await expect(page.getByText('Your password was set')).toBeVisible();
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible();
});

test('an error at a provider is shown with a link back', async ({ page, person }) => {
  await comeFromAcme(page, newEmail(), false);
  await expect(page.getByText('is not verified at Acme')).toBeVisible();
  await expectAccessible(page, 'failed sign-in');
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.context().clearCookies();
  for (const look of LOOKS) {
    const shoot = shooter(page, look.name);
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Continue with Acme' })).toBeVisible();
    await shoot('sign-in-with-provider');
  }
  await comeFromAcme(page, person.email);
  await expect(page.getByRole('heading', { name: 'Is this your account?' })).toBeVisible();
  await expectAccessible(page, 'account confirmation');
  await shooter(page, 'phone-dark')('whose-login');
});
