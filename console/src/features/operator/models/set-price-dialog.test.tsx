import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { SetPriceDialog } from './set-price-dialog.tsx';

const app = openConsole();

async function open() {
  const { visitor } = await app.signInAsOperator();
  const modelId = `model-${crypto.randomUUID()}`;
  await app.site.deps.db.sql`INSERT INTO models (id) VALUES (${modelId})`;
  const load = async () => visitor.client.operator.models.get.query({ modelId });
  const onClose = vi.fn<() => void>();
  const shown = show(
    <SetPriceDialog model={await load()} onClose={onClose} onCloseAutoFocus={() => undefined} />,
  );
  return { ...shown, load, onClose, set: screen.getByRole('button', { name: 'Set price' }) };
}

it('sets exact prices, and leaves the classes without a price to their default', async () => {
  const { user, load, onClose, set } = await open();
  await user.type(screen.getByLabelText('Input'), '0.1');
  await user.type(screen.getByLabelText('Output'), '12.000000001');
  await user.type(screen.getByLabelText('Cached input'), '0.025');
  await user.click(set);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const { prices } = await load();
  expect(prices).toMatchObject([
    {
      state: 'current',
      terms: {
        inputUsd: '0.10',
        outputUsd: '12.000000001',
        cacheReadUsd: '0.025',
        cacheWriteUsd: null,
        longInput: null,
      },
    },
  ]);
});

it('asks for a second set of prices for long input', async () => {
  const { user, load, onClose, set } = await open();
  await user.type(screen.getByLabelText('Input'), '3');
  await user.type(screen.getByLabelText('Output'), '15');
  await user.click(screen.getByRole('checkbox', { name: /Different prices for long input/ }));
  await user.click(set);
  const threshold = await screen.findByLabelText('Threshold, in input tokens');
  await waitFor(() => expect(threshold.getAttribute('aria-invalid')).toBe('true'));
  expect(onClose).not.toHaveBeenCalled();
  await user.type(threshold, '200000');
  await user.type(screen.getByLabelText('Input, long input'), '6');
  await user.type(screen.getByLabelText('Output, long input'), '22.5');
  await user.click(set);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect((await load()).prices[0]?.terms.longInput).toMatchObject({
    aboveInputTokens: 200_000,
    inputUsd: '6.00',
    outputUsd: '22.50',
  });
});
