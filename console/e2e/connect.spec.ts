import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { LOOKS, shooter } from './pictures.ts';

test('a key is created for a client, and its first request turns the page green', async ({
  signedIn: page,
  installation,
}) => {
  await page.goto('/connect?client=codex');
  await expect(page.getByRole('link', { name: /Codex/ })).toHaveAttribute('aria-current', 'page');
  const file = page.getByRole('region', { name: '~/.codex/config.toml' });
  await expect(file).toContainText(`base_url = "${installation.apiUrl}"`);
  await expect(file).toContainText('env_key = "SERVICE_API_KEY"');
  await expect(page.getByText('Waiting for the first request')).toBeVisible();

  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('agent');
  await page.getByRole('button', { name: 'Create key' }).click();
  const variable = page.getByRole('region', { name: 'Environment variable' });
  await expect(variable).toContainText(/export SERVICE_API_KEY=sk-\w{20,}/);
  const [, secret = ''] = /=(sk-\w+)/.exec(await variable.innerText()) ?? [];
  await expect(page).toHaveURL(/key=key_/);
  expect(page.url()).not.toContain(secret);

  const send = (userAgent: string) =>
    fetch(`${installation.apiUrl}/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'user-agent': userAgent,
      },
      body: JSON.stringify({ model: 'tollgate-demo', input: 'Hello', store: false }),
    });
  // Another client does not count.
  expect((await send('curl/8.5.0')).status).toBe(200);
  expect((await send('codex_exec/0.171.0 (Debian 12; x86_64)')).status).toBe(200);
  await expect(page.getByText('Codex is connected')).toBeVisible();
  await expect(page.getByText(/Codex 0\.171\.0 with tollgate-demo/)).toBeVisible();

  await page.getByRole('link', { name: 'Show its requests' }).click();
  await expect(page).toHaveURL(/\/requests\?.*client=codex/);
  await expect(page.getByRole('combobox', { name: 'Client' })).toHaveValue('codex');
  await expect(page.locator('[data-request]')).toHaveCount(1);
  await page.locator('[data-request]').click();
  await expect(page.getByRole('dialog').getByText('Codex 0.171.0')).toBeVisible();

  // The key is not shown again.
  await page.goto('/connect?client=codex');
  await expect(variable).toContainText('export SERVICE_API_KEY=sk-…');
});

test('clients are filtered and chosen with the keyboard', async ({ signedIn: page }) => {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Search pages/ })).toBeFocused();
  await page.keyboard.type('claude code');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Connect', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Shell' })).toContainText(
    'ANTHROPIC_AUTH_TOKEN="$SERVICE_API_KEY"',
  );
  await page.keyboard.press('/');
  await page.keyboard.type('lang');
  await expect(page.getByRole('region', { name: 'Clients' }).getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/client=langchain/);
  await expect(page.getByRole('region', { name: 'Code' })).toContainText('ChatOpenAI');
  await page.getByRole('searchbox', { name: 'Filter clients' }).fill('nothing like this');
  await expect(page.getByText(/No client matches/)).toBeVisible();
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });
    test(`the page of a client has no axe findings, ${look.name}`, async ({ signedIn: page }) => {
      for (const client of ['claude-code', 'codex', 'langchain', 'curl']) {
        await page.goto(`/connect?client=${client}`);
        await expect(page.getByText('Waiting for the first request')).toBeVisible();
        await shooter(page, look.name, { fullPage: true })(`connect-${client}`);
        await expectAccessible(page, `connect-${client}`);
      }
    });
  });
}
