import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { createOperator, seedPasskey } from './operator-fixtures.ts';
import { seedHistory } from './seed-ledger.ts';
import { openInstallationDatabase, seedKey } from './seed.ts';

test('an operator finds an account, adds credit and suspends it by typing its name', async ({
  page,
  installation,
  person,
}) => {
  await signIn(page, await createOperator(installation));
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByLabel('Search accounts').fill(person.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=/);
  await page.getByRole('link', { name: person.email }).click();
  await expect(page.getByRole('heading', { name: person.email })).toBeVisible();

  await page.getByRole('button', { name: 'Adjust balance' }).click();
  await page.getByLabel('Amount in USD').fill('2.5');
  await page.getByLabel('Reason').fill('a trial');
  await page.getByRole('button', { name: 'Add $2.50' }).click();
  await expect(page.getByText('Balance adjusted')).toBeVisible();

  await page.getByRole('button', { name: 'Suspend…' }).click();
  const suspend = page.getByRole('button', { name: 'Suspend account' });
  await page.getByLabel('Reason').fill('a stolen card');
  await expect(suspend).toBeDisabled();
  await page.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
  await suspend.click();
  await expect(page.getByText(/requests with its keys are rejected/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
});

test('an operator resets the sign-in of a user with a lost phone and finds a payment', async ({
  page,
  installation,
  person,
}) => {
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'their-key' });
  await seedHistory(installation, person.accountId);
  await seedPasskey(installation, person.email);
  const operator = await createOperator(installation);
  await signIn(page, operator);
  await page.goto(`/operator/accounts/${person.accountId}`);
  await expect(page.getByText('1 passkey')).toBeVisible();
  await page.getByRole('button', { name: `Reset sign-in… for ${person.email}` }).click();
  await page.getByLabel('Reason').fill('a lost phone');
  await page.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
  await expectAccessible(page, 'resetting a sign-in');
  await page.getByRole('button', { name: 'Reset sign-in', exact: true }).click();
  const identity = page.getByRole('alertdialog', { name: 'Confirm your identity' });
  await identity.getByLabel('Your password').fill(operator.password);
  await identity.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Sign-in reset for ${person.email}`)).toBeVisible();
  await expect(page.getByText('1 passkey')).toHaveCount(0);

  await page.getByRole('link', { name: 'All payments' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('paid');
  await expect(page).toHaveURL(/state=paid/);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Payment of $50.00' })).toBeVisible();
  const ledger = page.getByRole('region', { name: 'Ledger entries' });
  await expect(ledger.getByText('+$50.00')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Receipt R-/ })).toBeVisible();
});

test('an operator views an account read-only and exits the view', async ({ page, installation, person }) => {
  await seedKey(installation, { email: person.email, id: person.accountId }, { name: 'their-key' });
  await signIn(page, await createOperator(installation));
  await page.goto(`/operator/accounts/${person.accountId}`);
  await page.getByRole('button', { name: 'View as account' }).click();
  await page.getByLabel('Reason').fill('a ticket');
  await page.getByRole('button', { name: 'View as account' }).click();
  await expect(page.getByRole('region', { name: 'Viewing an account' })).toContainText(person.email);
  await expect(page.getByText('their-key').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /New key|Create key/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Providers' })).toHaveCount(0);
  await expectAccessible(page, 'viewing an account');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('You cannot change your settings')).toBeVisible();
  await expect(page.getByRole('button', { name: /Save|Change|Set up|Delete/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Playground' }).click();
  await expect(page.getByText('You cannot send requests while viewing')).toBeVisible();
  await page.getByLabel('Message').fill('Hello');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await page.goto('/operator/providers');
  await expect(page.getByRole('heading', { name: `You are viewing ${person.email}` })).toBeVisible();
  await expectAccessible(page, 'an operator page while viewing an account');
  await page.getByRole('link', { name: 'Continue viewing' }).click();
  await page.getByRole('button', { name: 'Exit' }).click();
  await expect(page.getByRole('heading', { name: person.email })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Viewing an account' })).toHaveCount(0);

  await page.getByRole('button', { name: 'View as account' }).click();
  await page.getByLabel('Reason').fill('a ticket');
  await page.getByRole('button', { name: 'View as account' }).click();
  await expect(page.getByRole('region', { name: 'Viewing an account' })).toBeVisible();
  await page.goto('/operator/providers');
  await page.getByRole('button', { name: 'Exit and open this page' }).click();
  await expect(page.getByRole('heading', { name: 'Providers' })).toBeVisible();
});

test('an operator schedules a price, orders routes by keyboard and adds a provider', async ({
  page,
  installation,
}) => {
  await signIn(page, await createOperator(installation));
  await page.goto('/operator/providers');
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByLabel('Provider type').selectOption({ label: 'Custom endpoint' });
  await page.getByLabel('Name').fill('own');
  await page.getByLabel('Base URL').fill('http://127.0.0.1:47999/v1');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Header 1 name').fill('Host');
  await page.getByLabel('Value', { exact: true }).fill('blue');
  await page.getByRole('dialog').getByRole('button', { name: 'Add provider' }).click();
  await expect(page.getByText('host is set by the gateway')).toBeVisible();
  await page.getByLabel('Header 1 name').fill('X-Team');
  await page.getByRole('dialog').getByRole('button', { name: 'Add provider' }).click();
  await page.getByRole('button', { name: 'Test own' }).click();
  await expect(page.getByText(/nothing listens at this address/)).toBeVisible();

  await page.goto('/operator/models/tollgate-demo');
  await page.getByLabel('Provider', { exact: true }).selectOption('own');
  await page.getByRole('button', { name: 'Add route' }).click();
  // As reported by the api replica.
  await expect(page.getByText('Healthy').first()).toBeVisible();
  await page.getByRole('button', { name: 'Move own up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Save order' }).click();
  await expect(page.getByText('Route order saved')).toBeVisible();
  const routes = page.getByRole('region', { name: 'Routes' });
  await expect(routes.getByRole('listitem').first()).toContainText('own');
  await page.getByRole('button', { name: 'Remove route to own' }).click();
  await expect(page.getByRole('button', { name: 'Remove route to own' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit details' }).click();
  await page.getByLabel('Max output tokens').fill('900,000,000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Max output cannot exceed the context window')).toBeVisible();
  await page.getByLabel('Max output tokens').fill('4,000');
  await page.getByRole('checkbox', { name: 'Audio' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const facts = page.getByRole('region', { name: 'Details' });
  await expect(facts.getByText('4,000 tokens')).toBeVisible();
  await expect(facts.getByText('Audio')).toBeVisible();

  await page.getByRole('button', { name: 'Set price' }).click();
  await page.getByLabel('Input', { exact: true }).fill('2.5');
  await page.getByRole('radio', { name: 'Later' }).click();
  const inADay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Takes effect').fill(inADay);
  await page.getByRole('button', { name: 'Schedule price' }).click();
  await expect(page.getByText('scheduled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('scheduled', { exact: true })).toHaveCount(0);

  await page.goto('/operator/system');
  // One for each core.
  const replicas = page.getByRole('row').filter({ hasText: 'rep_' });
  await expect(replicas.filter({ hasText: 'running' })).not.toHaveCount(0);
  await expect(replicas.filter({ hasNotText: 'running' })).toHaveCount(0);
});

test('a user who is not an operator sees no operator pages', async ({ signedIn }) => {
  await expect(signedIn.getByRole('link', { name: 'Accounts', exact: true })).toHaveCount(0);
  await signedIn.goto('/operator/accounts');
  await expect(signedIn.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('the overview of the installation leads to what needs attention', async ({
  page,
  installation,
  person,
}) => {
  await seedHistory(installation, person.accountId);
  const db = await openInstallationDatabase(installation);
  await db.sql`INSERT INTO models (id) VALUES ('unrouted') ON CONFLICT DO NOTHING`;
  await db.close();
  await signIn(page, await createOperator(installation));
  await page.getByRole('link', { name: 'Installation', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Installation' })).toBeVisible();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByText(/unrouted.*no route, so requests fail/)).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Revenue and provider cost' })).toBeVisible();
  await page.getByRole('radio', { name: '30 d' }).click();
  await expect(page).toHaveURL(/period=30d/);
  await page.getByRole('radio', { name: 'By model' }).click();
  await expect(page.getByRole('region', { name: 'Models' })).toBeVisible();
  await expectAccessible(page, 'the overview of the installation');
  await attention.getByRole('link', { name: /Open models?/ }).click();
  await expect(page).toHaveURL(/\/operator\/models/);
});
