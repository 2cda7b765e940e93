import { expect, type BrowserContext, type FrameLocator, type Page } from '@playwright/test';

export interface OpenedMail {
  page: Page;
  /** The email in its sandboxed frame. */
  body: FrameLocator;
}

/** Opens the newest email to an address in the mailbox page, in a new tab. */
export async function openMail(
  context: BrowserContext,
  mail: { to: string; subject: RegExp },
): Promise<OpenedMail> {
  const page = await context.newPage();
  await page.goto('/dev/mailbox');
  await page.getByRole('link').filter({ hasText: mail.to }).filter({ hasText: mail.subject }).first().click();
  await expect(page.getByRole('heading', { name: mail.subject })).toBeVisible();
  return { page, body: page.frameLocator('iframe') };
}

/** The six-digit code in the text of an email. */
export async function readCode({ body }: OpenedMail): Promise<string> {
  const digits = body.getByText(/^\s*\d{3}\s?\d{3}\s*$/).first();
  return ((await digits.textContent()) ?? '').replace(/\s/g, '');
}

/** Follows the email's link, which opens a new tab. */
export async function followLink({ page, body }: OpenedMail, name: RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await body.getByRole('link', { name }).click();
  return opened;
}
