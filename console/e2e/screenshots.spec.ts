import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, signIn, test, type Person } from './fixtures.ts';
import { openMail } from './mailbox.ts';
import { LOOKS, shooter } from './pictures.ts';
import { addModels, PICTURE_KEYS, seedKey } from './seed.ts';
import type { Installation } from './installation.ts';
import { createAccount } from './people.ts';

const PERSON = { email: 'you@example.com', password: 'a heron walks at noon' };

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });

    test(`screenshots of the sign-in pages, ${look.name}`, async ({ page }) => {
      await shootPublicPages(page, shooter(page, look.name));
    });

    test(`screenshots of the console, ${look.name}`, async ({ page, installation }) => {
      test.setTimeout(120_000);
      await preparePicture(installation);
      await signIn(page, PERSON);
      await shootConsole(page, look.name);
    });

    test(`screenshots of an empty account, ${look.name}`, async ({ signedIn }) => {
      await expect(signedIn.getByText('No keys yet')).toBeVisible();
      await shooter(signedIn, look.name)('keys-empty');
      if (!look.isPhone) return;
      await signedIn.getByRole('button', { name: 'Open menu' }).click();
      await shooter(signedIn, look.name)('menu');
    });
  });
}

async function shootPublicPages(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.goto('/sign-in');
  await shoot('sign-in');
  await page.goto('/sign-up');
  await shoot('sign-up');
  await page.goto('/sign-up?operator=token');
  await expect(page.getByRole('heading', { name: 'This operator link is no longer valid' })).toBeVisible();
  await shoot('sign-up-operator-link');
  await page.goto('/verify?email=you%40example.com');
  await shoot('verify');
  await page.goto('/verify?token=token');
  await shoot('verify-by-link');
  await page.goto('/forgot');
  await shoot('forgot');
  await page.goto('/reset?token=token');
  await shoot('reset');
  await page.goto('/nowhere');
  await shoot('not-found');
}

async function shootConsole(page: Page, look: string): Promise<void> {
  const shoot = shooter(page, look);
  await expect(page.getByText('production-api')).toBeVisible();
  await shoot('keys');
  await shootDialogs(page, shoot);
  await page.goto('/keys?state=ended');
  await expect(page.getByText('old-demo')).toBeVisible();
  await shoot('keys-ended');
  await page.goto('/keys?q=nothing+here');
  await expect(page.getByText('No active key matches')).toBeVisible();
  await shoot('keys-no-match');
  await page.goto('/settings');
  await shoot('settings');
  await page.goto('/settings/confirm-email?token=token');
  await shoot('confirm-email');
  await page.goto('/dev/mailbox');
  await expect(page.getByRole('list', { name: 'Emails' })).toBeVisible();
  await shoot('mailbox');
  const mail = await openMail(page.context(), { to: PERSON.email, subject: /password/i });
  await mail.body.getByRole('link').first().waitFor();
  await shooter(mail.page, look)('mail');
  await mail.page.close();
}

async function shootDialogs(page: Page, shoot: (name: string) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('ci-evals-2');
  const picker = page.getByRole('combobox', { name: 'Allowed models' });
  await picker.fill('gpt-5-mini');
  await picker.press('Enter');
  await picker.fill('haiku');
  await picker.press('Enter');
  await shoot('new-key-models');
  await picker.press('Escape');
  await page.getByLabel('Budget', { exact: true }).fill('10.00');
  await page.getByLabel('Requests / min').fill('60');
  await page.getByLabel('Tokens / min').fill('40000');
  await page.getByRole('radio', { name: '30 days' }).click();
  await shoot('new-key');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'ci-evals-2 is ready' })).toBeVisible();
  await shoot('reveal');
  await page.getByRole('tab', { name: 'Python' }).click();
  await shoot('reveal-python');
  await page.keyboard.press('Escape');
  await shoot('reveal-not-copied');
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await page.getByRole('button', { name: 'Actions for ci-evals-2' }).click();
  await shoot('key-menu');
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByLabel(/to confirm/).fill('ci-evals-2');
  await shoot('revoke');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('ci-evals-2 revoked')).toBeVisible();
  await shoot('revoked-toast');
  await page.getByRole('button', { name: 'Actions for production-api' }).click();
  await page.getByRole('menuitem', { name: 'Show details' }).click();
  await expect(page.getByRole('heading', { name: 'Recent requests' })).toBeVisible();
  await shoot('key-details');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  await page.keyboard.press('?');
  await shoot('shortcuts');
  await page.keyboard.press('Escape');
}

/** Runs once, regardless of variants and worker restarts. */
async function preparePicture(installation: Installation): Promise<void> {
  const done = path.join(installation.dataDir, 'picture-is-prepared');
  if (existsSync(done)) return;
  await addModels(installation);
  const person: Person = { ...PERSON, accountId: await createAccount(installation, PERSON) };
  for (const key of PICTURE_KEYS) {
    await seedKey(installation, { email: person.email, id: person.accountId }, key);
  }
  const asked = await fetch(`${installation.consoleUrl}/trpc/auth.requestPasswordReset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: installation.consoleUrl },
    body: JSON.stringify({ email: person.email }),
  });
  expect(asked.ok).toBe(true);
  writeFileSync(done, '');
}
