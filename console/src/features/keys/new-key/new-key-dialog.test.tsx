import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

const app = openConsole();
const create = () => screen.getByRole('button', { name: /^Create key/ });

it('creates a key with the budget, rate limits and tags as typed', async () => {
  const { visitor, accountId } = await app.signIn();
  const onCreated = vi.fn<Parameters<typeof NewKeyDialog>[0]['onCreated']>();
  const { user } = show(
    <NewKeyDialog accountId={accountId} onClose={() => undefined} onCreated={onCreated} />,
  );
  await user.type(screen.getByLabelText('Name'), 'production-api');
  await user.type(screen.getByLabelText('Budget'), '1,250.5');
  await user.type(screen.getByLabelText('Requests / min'), '600');
  await user.type(screen.getByLabelText('Tokens / min'), '400000');
  await user.type(screen.getByLabelText('Tags'), 'prod, team-search');
  expect(screen.getByLabelText('Tokens / min')).toHaveProperty('value', '400,000');
  await user.click(create());
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
  const created = {
    name: 'production-api',
    maxBudgetNanoUsd: '1250500000000',
    rpm: 600,
    tpm: 400_000,
    expiresAt: null,
    tags: ['prod', 'team-search'],
  };
  expect(onCreated.mock.calls[0]?.[0]).toMatchObject({ key: created, secret: expect.stringMatching(/^sk-/) });
  const { keys } = await visitor.client.keys.list.query({ accountId, state: 'active' });
  expect(keys).toMatchObject([created]);
});

it('names the fields that are wrong and creates nothing', async () => {
  const { visitor, accountId } = await app.signIn();
  const onCreated = vi.fn<() => void>();
  const { user } = show(
    <NewKeyDialog accountId={accountId} onClose={() => undefined} onCreated={onCreated} />,
  );
  await user.type(screen.getByLabelText('Budget'), 'ten');
  await user.type(screen.getByLabelText('Requests / min'), '0');
  await user.click(create());
  for (const label of ['Name', 'Budget', 'Requests / min']) {
    const field = await screen.findByLabelText(label);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    const message = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(message?.textContent).not.toBe('');
  }
  expect(screen.getByLabelText('Tokens / min').getAttribute('aria-invalid')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  expect(onCreated).not.toHaveBeenCalled();
  expect((await visitor.client.keys.list.query({ accountId, state: 'active' })).keys).toEqual([]);
});

it('offers a typed pattern that means some models, and creates a key with it', async () => {
  const { db } = app.site.deps;
  await db.sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES ('prov_1', 'one', 'openai-chat', 'https://one.example/v1')`;
  for (const id of ['family-one', 'family-two', 'other']) {
    await db.sql`INSERT INTO models (id) VALUES (${id})`;
    await db.sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${id}, 1, 1, now() - interval '1 hour')`;
    await db.sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`route_${id}`}, ${id}, 'prov_1')`;
  }
  const { accountId } = await app.signIn();
  const onCreated = vi.fn<Parameters<typeof NewKeyDialog>[0]['onCreated']>();
  const { user } = show(
    <NewKeyDialog accountId={accountId} onClose={() => undefined} onCreated={onCreated} />,
  );
  await user.type(screen.getByLabelText('Name'), 'family');
  const field = screen.getByRole('combobox', { name: 'Allowed models' });
  await user.type(field, 'fam*ly-*');
  expect(screen.queryAllByRole('option')).toEqual([]);
  await user.clear(field);
  await user.type(field, 'family-*');
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('family-*2 models now'),
    expect.stringContaining('family-one'),
    expect.stringContaining('family-two'),
  ]);
  await user.keyboard('{Enter}');
  expect(screen.getByText(/A pattern includes future models/)).toBeTruthy();
  await user.click(create());
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
  expect(onCreated.mock.calls[0]?.[0].key).toMatchObject({ allowedModels: ['family-*'] });
});
