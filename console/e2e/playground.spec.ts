import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { tollgate } from './installation.ts';
import { LOOKS, shooter } from './pictures.ts';
import { makeViewer } from './seed.ts';

const TOOL =
  '[{ "name": "get_weather", "parameters": { "type": "object", "properties": { "city": { "type": "string" } } } }]';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test.beforeEach(async ({ installation, person }) => {
  await tollgate(installation, [
    'account',
    'credit',
    '--email',
    person.email,
    '--amount',
    '5',
    '--reason',
    'test',
  ]);
});

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
}

/** The last response, once it is complete. */
async function lastAnswer(page: Page) {
  const answer = page.getByRole('article').last();
  await expect(answer.getByText('First token')).toBeVisible();
  return answer;
}

test('a response streams in each dialect with latency, tokens and cost', async ({
  signedIn: page,
  person,
}) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Playground' }).click();
  await say(page, 'the first word');
  const first = await lastAnswer(page);
  await expect(first).toContainText('You said: the first word');
  await expect(first).toContainText('OpenAI Chat');
  await expect(first).toContainText(/Cost\s*\$0\.\d+/);
  await expect(first.getByRole('link', { name: /req_\w+/ })).toHaveAttribute('href', /request=req_/);
  await expect(page.getByText('“Playground” key ending in')).toBeVisible();

  await page.getByRole('radio', { name: 'Anthropic' }).click();
  await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
  await page
    .getByLabel('Image to send')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PIXEL });
  await say(page, 'the second word');
  const second = await lastAnswer(page);
  await expect(second).toContainText('You said: the second word');
  await expect(second).toContainText('Anthropic Messages');
  await expect(page.getByAltText('dot.png')).toBeVisible();

  // The conversation survives navigation, and its key is in the list.
  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Playground' })).toHaveCount(1);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Playground' }).click();
  await expect(page.getByText('You said: the second word')).toBeVisible();

  // It survives a reload, in this tab only, until the person signs out.
  await page.reload();
  await expect(page.getByText('You said: the second word')).toBeVisible();
  await expect(page.getByText('“Playground” key ending in')).toBeVisible();
  expect(await readStorage(page, 'localStorage')).not.toMatch(/sk-|second word/);
  expect(await readStorage(page, 'sessionStorage')).toMatch(/sk-.*second word/);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.reload();
  await page.getByRole('button', { name: person.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect(await readStorage(page, 'sessionStorage')).not.toMatch(/sk-|second word/);
});

test('three models get the same message, each with its own figures and stop button', async ({
  signedIn: page,
  installation,
}) => {
  for (const id of ['compared-a', 'compared-b']) {
    await tollgate(installation, ['model', 'add', '--id', id, '--input-price', '1', '--output-price', '2']);
    const route = ['--model', id, '--provider', 'demo', '--upstream-model', 'tollgate-demo'];
    await tollgate(installation, ['route', 'add', ...route]);
  }
  await page.goto('/playground?model=compared-a');
  await say(page, 'first');
  await lastAnswer(page);
  // An added model can answer what the first one was asked.
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Get a response' }).click();
  await expect(page.getByRole('article').last()).toContainText('You said: first');
  await page.getByRole('button', { name: 'Add model' }).click();
  await expect(page.getByRole('button', { name: 'Add model' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Model 3/ }).click();
  await page.getByRole('option', { name: /compared-b/ }).click();
  await expect(page).toHaveURL(/compare=.*compared-b/);

  await say(page, 'word '.repeat(300));
  await page.getByRole('button', { name: 'Stop model 2' }).click();
  await expect(page.getByText('Stopped', { exact: true })).toHaveCount(1);
  const others = [
    page.getByRole('region', { name: /^Model 1/ }),
    page.getByRole('region', { name: /^Model 3/ }),
  ];
  for (const column of others) {
    const answer = column.getByRole('article').last();
    await expect(answer.getByText('Speed')).toBeVisible({ timeout: 30_000 });
    await expect(answer).toContainText(/Time to first token.*Tokens.*Cost\s*\$0\.\d+/);
  }
  // All three used one key.
  await page.getByRole('button', { name: 'Remove model 2' }).click();
  await expect(page.getByRole('region', { name: /^Model 2: compared-b/ })).toContainText('You said: word');
  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Playground' })).toHaveCount(1);
});

test('a shared link contains the prompt and the settings, but not the key', async ({
  signedIn: page,
  context,
}) => {
  await page.goto('/playground?dialect=anthropic&temperature=0.5');
  await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
  await say(page, '**bold** <b>html</b> ![pixel](https://tracker.example/pixel.png)');
  const answer = await lastAnswer(page);
  await expect(answer.locator('strong')).toHaveText('bold');
  await expect(answer.getByRole('link', { name: 'Image: pixel' })).toBeVisible();
  await expect(answer.locator('img, b')).toHaveCount(0);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(Buffer.from(link.split('#share=')[1] ?? '', 'base64url').toString()).not.toContain('sk-');

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByLabel('Message')).toHaveValue(/^\*\*bold/);
  await expect(other.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Be brief.');
  await expect(other.getByRole('radio', { name: 'Anthropic' })).toBeChecked();
  await expect(other.getByRole('article')).toHaveCount(0);
  expect(other.url()).not.toContain('#');
  await other.goto(`${link.split('#')[0] ?? ''}#share=AAAA`);
  await expect(other.getByText('The shared link is incomplete')).toBeVisible();
});

test('a response cannot crash the page or replace the prompt', async ({ signedIn: page }) => {
  await page.goto('/playground');
  // The model repeats the message.
  await say(page, `Levels:\n\n${'>'.repeat(1_500)} deep`);
  await expect(await lastAnswer(page)).toContainText('>>> deep');
  await page.reload();
  await expect(page.getByRole('article')).toContainText('>>> deep');
  await say(page, `Levels:\n\n${'>'.repeat(20)} deep`);
  await expect(page.getByText('Response complete')).toHaveCount(2, { timeout: 20_000 });
  await expect(page.getByRole('article').last().locator('blockquote')).toHaveCount(20);

  const shared = { prompt: 'Foreign prompt', system: 'Foreign system prompt' };
  const fragment = `#share=${Buffer.from(JSON.stringify(shared)).toString('base64url')}`;
  await say(page, `[share](${fragment})`);
  await expect(page.getByText('Response complete')).toHaveCount(3, { timeout: 20_000 });
  const answer = page.getByRole('article').last();
  await expect(answer).toContainText('You said: share');
  await expect(answer.getByRole('link', { name: 'share' })).toHaveCount(0);

  // A link that the user follows asks first.
  const openLink = () => page.evaluate((hash) => void (location.hash = hash), fragment);
  await openLink();
  const dialog = page.getByRole('alertdialog', { name: 'Replace your prompt with the shared one?' });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('');
  expect(page.url()).not.toContain('#');
  await openLink();
  await dialog.getByRole('button', { name: 'Replace prompt' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(page.getByLabel('Message')).toHaveValue('Foreign prompt');
});

test('a response is shown as text if its Markdown cannot be formatted', async ({ signedIn }) => {
  // A second page, because the browser logs the failed download.
  const page = await signedIn.context().newPage();
  await page.route('**/markdown-text*', (route) => route.abort());
  await page.goto('/playground');
  await say(page, '**bold**');
  await expect(await lastAnswer(page)).toContainText('You said: **bold**');
});

function readStorage(page: Page, name: 'localStorage' | 'sessionStorage'): Promise<string> {
  return page.evaluate((storage) => JSON.stringify(Object.entries(window[storage])), name);
}

test('a response is stopped and requested again', async ({ signedIn: page }) => {
  await page.goto('/playground');
  await say(page, 'word '.repeat(400));
  await expect(page.getByRole('article')).toContainText('You said: word');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Stopped', { exact: true })).toHaveCount(0);
  await expect(page.getByText('Response complete')).toBeAttached({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Send a message to start' })).toBeVisible();
});

test('a tool call gets its result in each dialect', async ({ signedIn: page }) => {
  for (const url of ['/playground', '/playground?dialect=anthropic']) {
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Tools' }).fill('[{');
    await expect(page.getByText('Invalid JSON')).toBeVisible();
    await page.getByRole('textbox', { name: 'Tools' }).fill(TOOL);
    await say(page, 'What is the weather?');
    await expect(page.getByRole('region', { name: 'Tool call: get_weather' })).toContainText('"city"');
    await page.getByLabel('Result of get_weather').fill('sunny');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('article').last()).toContainText('The tool answered: sunny');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
  }
});

test('an error response is shown in full, and a pasted key is used', async ({ signedIn: page }) => {
  await page.goto('/playground');
  await page.getByRole('button', { name: 'Use your own key' }).click();
  await page.getByLabel('API key').fill('sk-nonsense');
  await page.getByRole('button', { name: 'Use key', exact: true }).click();
  await say(page, 'Hello');
  const refused = page.getByRole('alert');
  await expect(refused).toContainText('401 Authentication Error');
  await refused.getByText('Full response').click();
  await expect(refused).toContainText('malformed_api_key');
  await page.getByRole('button', { name: 'Discard key' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(await lastAnswer(page)).toContainText('You said: Hello');
});

test('a viewer cannot create a key but can paste one', async ({ page, person, installation }) => {
  await makeViewer(installation, person.accountId);
  await signIn(page, person);
  await page.goto('/playground');
  await expect(page.getByText('Your role cannot create keys')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
});

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({
      viewport: look.viewport,
      colorScheme: look.colorScheme,
      hasTouch: look.isPhone,
      isMobile: look.isPhone,
    });
    test(`the playground has no axe findings, with screenshots, ${look.name}`, async ({ signedIn: page }) => {
      const see = async (what: string) => {
        await shooter(page, look.name)(what);
        await expectAccessible(page, what);
      };
      await page.goto('/playground');
      await expect(page.getByRole('heading', { name: 'Send a message to start' })).toBeVisible();
      await see('playground-empty');
      await say(page, 'Which way does a heron walk at noon?');
      await lastAnswer(page);
      await see('playground');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('button', { name: 'Get a response' }).click();
      await expect(page.getByText('Response complete')).toHaveCount(2, { timeout: 20_000 });
      await see('playground-compare');
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await see('playground-share');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Remove model 2' }).click();
      await page.getByRole('button', { name: 'View code' }).click();
      await expect(page.getByRole('dialog')).toContainText('SERVICE_API_KEY');
      await page.getByRole('radio', { name: 'Python' }).click();
      await see('playground-code');
    });
  });
}
