import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../testing/open-console.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';

const app = openConsole();

async function open() {
  const person = await app.signIn();
  const billing = await person.visitor.client.billing.get.query({ accountId: person.accountId });
  const shown = show(
    <TopUpDialog
      accountId={person.accountId}
      billing={billing}
      isSavingCard={false}
      onClose={() => undefined}
      onCloseAutoFocus={() => undefined}
    />,
  );
  return { ...person, ...shown, pay: screen.getByRole('button', { name: 'Continue to payment' }) };
}

it('shows the balance after the payment, and starts a payment of the typed amount', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const { user, visitor, accountId, pay } = await open();
  const { availableNanoUsd } = await visitor.client.billing.get.query({ accountId });
  await user.type(screen.getByLabelText('Amount (USD)'), '$1,0');
  await user.type(screen.getByLabelText('Amount (USD)'), '00');
  const after = (BigInt(availableNanoUsd) / 10_000_000n + 100_000n).toString();
  expect(screen.getByText('Balance after payment:').textContent?.replaceAll(/[^\d]/g, '')).toBe(after);
  await user.click(pay);
  await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringMatching(/\/dev\/pay\/pay_\w+$/)));
  const { payments } = await visitor.client.billing.payments.query({ accountId });
  expect(payments).toMatchObject([{ amountNanoUsd: '1000000000000', state: 'created' }]);
});

it('refuses an amount that is not payable, without a payment', async () => {
  const { user, visitor, accountId, pay } = await open();
  const amount = screen.getByLabelText('Amount (USD)');
  for (const [typed, message] of [
    ['4.99', 'Minimum $5'],
    ['1000.01', 'Maximum $1,000 per payment'],
    ['12.345', 'Use at most two decimals'],
    ['lots', 'Enter an amount in dollars, like 20 or 12.50'],
  ] as const) {
    await user.clear(amount);
    await user.type(amount, typed);
    await user.click(pay);
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.queryByText('Balance after payment:')).toBeNull();
  }
  expect((await visitor.client.billing.payments.query({ accountId })).payments).toEqual([]);
});

it('a preset fills in the amount', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('radio', { name: '$50' }));
  expect(screen.getByLabelText('Amount (USD)')).toHaveProperty('value', '50');
});
