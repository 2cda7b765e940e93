import { CLIENTS } from '@tollgate/core/clients/clients';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import { SetupSteps } from './setup-steps.tsx';

cleanUpAfterEach();

const INPUT = { baseUrl: 'https://gateway.example/v1', model: 'a-model', smallModel: 'a-small-model' };

it.each(CLIENTS.map((client) => [client.id, client] as const))(
  'the steps of %s contain its whole configuration, each part with a copy button',
  (_, client) => {
    const setup = client.setUp(INPUT);
    show(<SetupSteps client={client} setup={setup} />);
    const parts = [setup.shell, setup.file?.text ?? null, setup.code?.text ?? null].filter(
      (part) => part !== null,
    );
    const shown = screen.getAllByRole('region').map(({ textContent }) => textContent.trim());
    for (const part of parts) expect(shown).toContain(part.trim());
    expect(screen.getAllByRole('button', { name: /^Copy: / })).toHaveLength(shown.length);
    if (setup.file !== null) expect(screen.getByText(setup.file.path)).toBeDefined();
  },
);

it('numbers the steps after the two steps of the key', () => {
  const [agent] = CLIENTS;
  if (agent === undefined) throw new Error('there is no client');
  show(<SetupSteps client={agent} setup={agent.setUp(INPUT)} />);
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Set the address',
    'Start Claude Code',
  ]);
  expect(screen.getByText('3')).toBeDefined();
  expect(screen.getByText('4')).toBeDefined();
});
