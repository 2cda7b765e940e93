import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { EditRouteDialog } from './edit-route-dialog.tsx';
import { EditRoutingDialog } from './edit-routing-dialog.tsx';

const app = openConsole();

async function openModel() {
  const { visitor } = await app.signInAsOperator();
  const modelId = `model-${crypto.randomUUID()}`;
  const { sql } = app.site.deps.db;
  await sql`INSERT INTO models (id, first_token_timeout_ms) VALUES (${modelId}, 9000)`;
  const get = () => visitor.client.operator.models.get.query({ modelId });
  return { modelId, sql, get, onClose: vi.fn<() => void>() };
}

it('saves the routing of a model, and explains what cannot be saved', async () => {
  const { get, onClose } = await openModel();
  const { user } = show(
    <EditRoutingDialog model={await get()} onClose={onClose} onCloseAutoFocus={() => undefined} />,
  );
  const timeout = screen.getByLabelText('First token timeout (ms)');
  expect(timeout).toHaveProperty('value', '9000');
  const save = screen.getByRole('button', { name: 'Save changes' });
  await user.clear(timeout);
  await user.type(timeout, '0');
  await user.click(save);
  await screen.findByText('Must be at least 1');
  await user.clear(timeout);
  await user.type(screen.getByLabelText('Retry budget (ms)'), '1,500');
  await user.type(screen.getByLabelText('Hedge after (ms)'), '800');
  await user.type(screen.getByLabelText('Health check interval (s)'), '60');
  await user.selectOptions(screen.getByRole('combobox'), 'Lowest latency');
  await screen.findByText(/recent response times/);
  for (const checkbox of screen.getAllByRole('checkbox')) await user.click(checkbox);
  await user.click(save);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect((await get()).routing).toEqual({
    strategy: 'lowest-latency',
    firstTokenTimeoutMs: null,
    hedgeAfterMs: 800,
    retryBudgetMs: 1_500,
    contentPolicyFailover: true,
    continueStreams: true,
    healthCheckIntervalS: 60,
  });
});

it('saves the context window and the cost of a route', async () => {
  const { modelId, sql, get, onClose } = await openModel();
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES ('prov_edit', 'edited', 'openai-chat', 'http://127.0.0.1:9/v1')`;
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_edit', ${modelId}, 'prov_edit')`;
  const route = { id: 'route_edit', providerName: 'edited', contextTokens: null, costMultiplier: '1' };
  const { user } = show(
    <EditRouteDialog modelId={modelId} route={route} onClose={onClose} onCloseAutoFocus={() => undefined} />,
  );
  const save = screen.getByRole('button', { name: 'Save changes' });
  const cost = screen.getByLabelText('Cost multiplier');
  await user.clear(cost);
  await user.type(cost, 'cheap');
  await user.click(save);
  await screen.findByText(/Enter a factor/);
  await user.clear(cost);
  await user.type(cost, '0.8');
  await user.type(screen.getByLabelText('Context window'), '131,072');
  await user.click(save);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect((await get()).routeList).toMatchObject([{ contextTokens: 131_072, costMultiplier: '0.8' }]);
});
