import type { BrowserContext, Page } from '@playwright/test';
import OpenAI, { AuthenticationError } from 'openai';
import { expect, test } from './fixtures.ts';
import { openMail, readCode } from './mailbox.ts';

const PERSON = { email: 'operator@example.com', password: 'seven quiet lanterns' };
const MODEL = 'tollgate-demo';
const REVOKED_WITHIN_MS = 1_000;

test('a new user signs up, creates a scoped key, calls with the official SDK and revokes the key', async ({
  page,
  context,
  installation,
}) => {
  await page.goto(installation.operatorLink);
  await signUp(page);
  await verifyByMail(page, context);
  const secret = await createScopedKey(page);

  const client = new OpenAI({ baseURL: installation.apiUrl, apiKey: secret, maxRetries: 0 });
  const call = () =>
    client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] });
  const completion = await call();
  expect(completion.choices[0]?.message.content).toBeTruthy();
  await expect(page.getByText('first request received')).toBeVisible();
  await page.getByRole('button', { name: 'I saved the key' }).click();

  // The list shows the last use, and only both ends of the key.
  const row = page.getByRole('row').filter({ hasText: 'first-key' });
  await expect(row).toContainText(/just now|seconds? ago/);
  await expect(row).toContainText('1 request');
  await expect(row).toContainText('60 RPM · 40k TPM');
  await expect(row).toContainText(secret.slice(-4));
  await expect(row).not.toContainText(secret);

  await revoke(page);
  const delayMs = await measureUntilRefused(call);
  test.info().annotations.push({ type: 'revocation', description: `${delayMs} ms until the 401` });
  expect(delayMs).toBeLessThan(REVOKED_WITHIN_MS);

  await expect(row).toHaveCount(0);
  await page.getByRole('radio', { name: /Revoked or expired/ }).click();
  await expect(page).toHaveURL(/state=ended/);
  await expect(row).toContainText(/revoked (just now|\d+ seconds? ago)/);
});

test('a used operator link says so before anything is filled in', async ({ page, installation }) => {
  await page.goto(installation.operatorLink);
  await expect(page.getByRole('heading', { name: 'This operator link is no longer valid' })).toBeVisible();
  await expect(page.getByText('This installation already has an operator.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveCount(0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

async function signUp(page: Page): Promise<void> {
  await expect(page.getByText('You will be the operator.')).toBeVisible();
  await page.getByLabel('Email').fill(PERSON.email);
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

async function verifyByMail(page: Page, context: BrowserContext): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Send a new code in \d:\d\d/ })).toBeDisabled();
  await expect(page.getByRole('link', { name: /mailbox/ })).toBeVisible();
  const mail = await openMail(context, { to: PERSON.email, subject: /verify/i });
  const code = await readCode(mail);
  await mail.page.close();
  // A wrong code empties the boxes, so that the next input is a new attempt.
  const wrong = code === '111111' ? '222222' : '111111';
  await page.getByLabel('Code').pressSequentially(wrong);
  await expect(page.getByText('wrong or has expired')).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue('');
  await page.getByLabel('Code').pressSequentially(code);
  await expect(page.getByRole('heading', { name: 'Set up this installation' })).toBeVisible();
  await page.getByRole('link', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
}

/** @returns the key from the clipboard, after the Copy button */
async function createScopedKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('first-key');
  await page.getByRole('combobox', { name: 'Allowed models' }).fill('demo');
  await page.getByRole('option', { name: MODEL }).click();
  await page.getByLabel('Budget', { exact: true }).fill('5');
  await page.getByLabel('Requests / min').fill('60');
  await page.getByLabel('Tokens / min').fill('40000');
  await page.getByRole('radio', { name: '30 days' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'first-key is ready' })).toBeVisible();
  await expect(page.getByText('waiting for the first request…')).toBeVisible();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^sk-[0-9A-Za-z]{48}$/);
  return secret;
}

/** Settles when the server has confirmed the revocation. */
async function revoke(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for first-key' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await expect(page.getByRole('button', { name: 'Revoke key' })).toBeDisabled();
  await page.getByLabel('Type first-key to confirm').fill('first-key');
  const answered = page.waitForResponse((response) => response.url().includes('keys.revoke'));
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await answered;
}

/** Calls repeatedly. @returns the milliseconds until the first 401; Infinity if none */
async function measureUntilRefused(call: () => Promise<unknown>): Promise<number> {
  const startedMs = Date.now();
  while (Date.now() - startedMs < 5 * REVOKED_WITHIN_MS) {
    const error = await call().catch((caught: unknown) => caught);
    if (error instanceof AuthenticationError && error.status === 401) return Date.now() - startedMs;
  }
  return Infinity;
}
