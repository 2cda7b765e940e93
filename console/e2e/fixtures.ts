import { randomBytes } from 'node:crypto';
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import { startInstallation, type Installation } from './installation.ts';
import { createAccount } from './people.ts';

export interface Person {
  email: string;
  password: string;
  accountId: string;
}

interface Fixtures {
  /** A separate verified user for this test. */
  person: Person;
  /** A page with that user signed in, at the keys. */
  signedIn: Page;
}

interface WorkerFixtures {
  installation: Installation;
}

/** Timeout for a busy machine. */
const START_WITHIN_MS = 150_000;

export const PASSWORD = 'a heron walks at noon';

export const test = base.extend<Fixtures, WorkerFixtures>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
    async ({}, provide) => {
      const { installation, stop } = await startInstallation();
      await provide(installation);
      await stop();
    },
    { scope: 'worker', timeout: START_WITHIN_MS },
  ],
  baseURL: async ({ installation }, provide) => {
    await provide(installation.consoleUrl);
  },
  context: async ({ context, installation }, provide) => {
    await openLocalTools(context, installation);
    await provide(context);
  },
  page: async ({ page }, provide) => {
    const errors = watchErrors(page);
    await provide(page);
    expect(errors, 'errors in the browser').toEqual([]);
  },
  person: async ({ installation }, provide, testInfo) => {
    const email = `${getName(testInfo.title)}-${randomBytes(3).toString('hex')}@example.com`;
    const accountId = await createAccount(installation, { email, password: PASSWORD });
    await provide({ email, password: PASSWORD, accountId });
  },
  signedIn: async ({ page, person, installation }, provide) => {
    await openSession(page, person, installation);
    await page.goto('/keys');
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
    await provide(page);
  },
});

export { expect };

/** Sets the cookie of the link printed at startup, for the mailbox and the test payments. */
export async function openLocalTools(context: BrowserContext, installation: Installation): Promise<void> {
  const answer = await context.request.get(installation.localToolsLink, { maxRedirects: 0 });
  expect(answer.status()).toBe(303);
}

/** Signs in with the procedure that the form calls. */
export async function openSession(
  page: Page,
  { email, password }: Person,
  { consoleUrl: origin }: Installation,
): Promise<void> {
  const answer = await page.request.post('/trpc/auth.signIn', {
    headers: { origin },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
}

/** Signs in with the form, like a user. */
export async function signIn(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto('/sign-in?redirect=%2Fkeys');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
}

function getName(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24);
}

/** Collects exceptions and violations of the Content-Security-Policy. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // Some tests expect server errors (400, 401 …), which the browser logs.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) errors.push(text);
  });
  return errors;
}
