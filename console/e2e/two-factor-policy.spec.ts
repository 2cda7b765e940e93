import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import type { Page } from '@playwright/test';
import { expect, PASSWORD, test } from './fixtures.ts';
import { tollgate } from './installation.ts';
import { createOperator } from './operator-fixtures.ts';

/** Enrols an authenticator app in the settings, like a user. */
async function setUpApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up an authenticator app…' }).click();
  // The settings have another field with this label.
  const question = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await question.getByLabel('Your password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Confirm', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const secret = ((await dialog.getByTestId('totp-secret').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel('Authenticator code').fill(totpCode(secret, totpStepAt(Date.now())));
  await page.getByRole('button', { name: 'I saved the codes' }).click();
}

test('an account requires two-factor authentication and its owner must enrol to open it again', async ({
  signedIn: page,
  person,
  installation,
}) => {
  test.setTimeout(120_000);
  await page.getByRole('link', { name: 'Team' }).click();
  const card = page.getByRole('region', { name: 'Two-factor requirement' });
  await expect(card).toContainText('Members can sign in with only a password.');
  // Without a second factor, the page only says that one is needed.
  await expect(card.getByRole('button', { name: 'Require two-factor…' })).toHaveCount(0);
  await expect(card).toContainText('To require it, set up your own second factor first.');

  await tollgate(installation, ['account', 'two-factor', 'required', '--email', person.email]);
  await page.goto('/keys');
  await expect(page.getByRole('heading', { name: 'Two-factor authentication required' })).toBeVisible();
  await expect(page.getByText(`${person.email} requires two-factor authentication.`)).toBeVisible();
  await page.getByRole('link', { name: 'Set up two-factor authentication' }).click();
  await setUpApp(page);
  await page.goto('/team');
  await expect(card).toContainText(
    'Members need an authenticator app or a passkey. Every member has a second factor.',
  );
  await card.getByRole('button', { name: 'Turn off…' }).click();
  await page.getByRole('button', { name: 'Turn off requirement' }).click();
  await expect(card).toContainText('Members can sign in with only a password.');
  // With a second factor, the owner can turn the policy on.
  await card.getByRole('button', { name: 'Require two-factor…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Require two-factor authentication?' });
  await question.getByRole('button', { name: 'Require two-factor', exact: true }).click();
  await expect(card).toContainText(
    'Members need an authenticator app or a passkey. Every member has a second factor.',
  );
  await page.goto('/team/audit');
  await expect(page.getByText('turned off the two-factor requirement')).toBeVisible();
});

test('operators without a second factor can open only the enrolment page', async ({ page, installation }) => {
  const { email } = await createOperator(installation);
  await tollgate(installation, ['settings', 'set', '--operator-two-factor', 'required']);
  try {
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(
      page.getByText('This installation requires two-factor authentication for operators.'),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Set up two-factor authentication' }).click();
    await expect(page.getByText('Set up one of these to continue.')).toBeVisible();
    await setUpApp(page);
    await page.goto('/operator/system');
    await expect(page.getByRole('region', { name: 'Two-factor requirement' })).toContainText(
      'Operators need an authenticator app or a passkey.',
    );
  } finally {
    await tollgate(installation, ['settings', 'set', '--operator-two-factor', 'optional']);
  }
});
