import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openConsole, show } from '../../../../testing/open-console.tsx';
import { PatternsCard } from './patterns-card.tsx';

const app = openConsole();

it('adds and removes a pattern, and explains what is missing', async () => {
  const { visitor } = await app.signInAsOperator();
  const list = async () => (await visitor.client.operator.patterns.list.query()).patterns;
  await app.site.deps.db.sql`INSERT INTO providers (id, name, dialect, base_url, preset)
    VALUES ('prov_pattern', 'anthropic', 'anthropic-messages', 'https://one.example/v1', 'anthropic')`;
  const { user } = show(<PatternsCard />);
  await screen.findByText('No patterns yet.');
  const add = await screen.findByRole('button', { name: 'Add pattern' });
  await user.type(screen.getByLabelText('Pattern'), 'anthropic/');
  await user.type(screen.getByLabelText('Prefix to remove'), 'openai/');
  await user.clear(screen.getByLabelText('Weight'));
  await user.type(screen.getByLabelText('Weight'), '0');
  await user.click(add);
  await screen.findByText(/Enter the beginning of model IDs and an asterisk/);
  await screen.findByText('Must be at least 1');
  await user.type(screen.getByLabelText('Pattern'), '*');
  await user.clear(screen.getByLabelText('Weight'));
  await user.click(add);
  await screen.findByText('Must be the beginning of the pattern');
  await user.clear(screen.getByLabelText('Prefix to remove'));
  await user.type(screen.getByLabelText('Prefix to remove'), 'anthropic/');
  await user.click(add);
  await waitFor(async () => expect(await list()).toHaveLength(1));
  expect(await list()).toMatchObject([
    { pattern: 'anthropic/*', strip: 'anthropic/', priority: 0, weight: 1 },
  ]);
  await user.click(await screen.findByRole('button', { name: 'Remove pattern anthropic/* of anthropic' }));
  const dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Remove pattern' }));
  await screen.findByText('No patterns yet.');
  expect(await list()).toEqual([]);
});
