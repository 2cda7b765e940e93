import { screen, waitFor, within } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';

const app = openConsole();

function LoadedDialog() {
  const { data } = useQuery(trpc.operator.providers.list.queryOptions());
  const provider = data?.providers.find(({ name }) => name === 'many');
  if (provider === undefined) return null;
  return (
    <CredentialsDialog provider={provider} onClose={() => undefined} onCloseAutoFocus={() => undefined} />
  );
}

it('adds a credential, restores one that was set aside, and removes one after a question', async () => {
  const { visitor } = await app.signInAsOperator();
  const terms = {
    baseUrl: 'https://models.example/v1',
    settings: {},
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    idleTimeoutMs: null,
    totalTimeoutMs: null,
    maxConcurrency: null,
  };
  const { id: providerId } = await visitor.client.operator.providers.add.mutate({
    name: 'many',
    preset: null,
    dialect: 'openai-chat',
    terms,
    credential: 'first-secret',
  });
  await app.site.deps.db
    .sql`UPDATE provider_credentials SET set_aside_at = now(), set_aside_cause = 'no_credit',
    set_aside_message = 'No credit left.' WHERE id = ${providerId}`;
  const { user } = show(<LoadedDialog />);
  const items = async () => within(await screen.findByRole('list', { name: 'Credentials' }));
  expect(await (await items()).findByText('no credit')).toBeTruthy();
  expect((await items()).queryByRole('button', { name: 'Remove first' })).toBeNull();

  await user.type(screen.getByLabelText('Label'), 'Not valid');
  await user.type(screen.getByLabelText('Credential'), 'second-secret');
  await user.click(screen.getByRole('button', { name: 'Add credential' }));
  expect(await screen.findByText(/Use 1 to 63 lower-case letters/)).toBeTruthy();
  await user.clear(screen.getByLabelText('Label'));
  await user.type(screen.getByLabelText('Label'), 'second');
  await user.click(screen.getByRole('button', { name: 'Add credential' }));
  expect(await (await items()).findByText('second')).toBeTruthy();
  const getShares = async () => (await items()).getAllByText(/of requests/).map((each) => each.textContent);
  expect(await getShares()).toEqual(['weight 1, 0.0% of requests', 'weight 1, 100.0% of requests']);

  await user.click((await items()).getByRole('button', { name: 'Restore first' }));
  await waitFor(async () => expect((await items()).queryByText('no credit')).toBeNull());
  expect(await getShares()).toEqual(['weight 1, 50.0% of requests', 'weight 1, 50.0% of requests']);
  await user.click((await items()).getByRole('button', { name: 'Remove second' }));
  await user.click(await screen.findByRole('button', { name: 'Remove credential' }));
  await waitFor(async () => expect((await items()).queryByText('second')).toBeNull());
  const { credentials } = await visitor.client.operator.providerCredentials.list.query({ providerId });
  expect(credentials).toMatchObject([{ label: 'first', setAside: null }]);
});
