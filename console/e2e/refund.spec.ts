import { expectAccessible } from './accessible.ts';
import { expect, signIn, test } from './fixtures.ts';
import { createOperator } from './operator-fixtures.ts';

test('an operator refunds a part of a payment, and the customer gets a credit note', async ({
  page,
  context,
  installation,
  person,
}) => {
  await signIn(page, person);
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Top up', exact: true }).first().click();
  await page.getByLabel('Amount (USD)').fill('20');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Continue|Pay/ })
    .click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page).toHaveURL(/\/billing\?payment=pay_/);
  const paymentId = new URL(page.url()).searchParams.get('payment') ?? '';

  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(page, await createOperator(installation));
  await page.goto(`/operator/payments/${paymentId}`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this payment?' });
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('20.00');
  await dialog.getByLabel('Amount in USD').fill('21');
  await dialog.getByLabel('Reason').fill('paid twice');
  await dialog.getByRole('button', { name: 'Refund $21.00' }).click();
  await expect(dialog.getByText('Enter an amount up to $20.00')).toBeVisible();
  await dialog.getByLabel('Amount in USD').fill('7.5');
  await expect(dialog.getByText(/Balance after the refund: \$13\.50/)).toBeVisible();
  await expectAccessible(page, 'refunding a payment');
  await dialog.getByRole('button', { name: 'Refund $7.50' }).click();
  await expect(page.getByText('Refunded $7.50')).toBeVisible();
  const reversals = page.getByRole('region', { name: 'Refunds and disputes' });
  await expect(reversals.getByRole('row').filter({ hasText: 'Refund' })).toContainText('$7.50');
  await page.getByRole('button', { name: 'Refund…' }).click();
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('12.50');
  await dialog.getByLabel('Reason').fill('the rest');
  await dialog.getByRole('button', { name: 'Refund $12.50' }).click();
  await expect(reversals.getByText(/already refunded in full/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refund…' })).toHaveCount(0);

  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(page, person);
  await page.goto('/billing?entries=all');
  const row = page.getByRole('row').filter({ hasText: 'paid twice' });
  await expect(row).toContainText('−$7.50');
  await page.getByRole('tab', { name: 'Payments' }).click();
  await expect(page.getByRole('link', { name: /C-\d{4}-\d{6}/ })).toHaveCount(2);
});
