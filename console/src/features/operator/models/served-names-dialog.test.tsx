import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { ServedNamesDialog } from './served-names-dialog.tsx';

const app = openConsole();

it('saves the names that a provider reports for the model of a route', async () => {
  const { visitor } = await app.signInAsOperator();
  const modelId = `model-${crypto.randomUUID()}`;
  const { sql } = app.site.deps.db;
  await sql`INSERT INTO models (id) VALUES (${modelId})`;
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES ('prov_ollama', 'ollama', 'openai-chat', 'http://127.0.0.1:9/v1')`;
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_o', ${modelId}, 'prov_ollama')`;
  const onClose = vi.fn<() => void>();
  const route = { id: 'route_o', providerName: 'ollama', servedNames: ['first'] };
  const { user } = show(
    <ServedNamesDialog
      modelId={modelId}
      route={route}
      onClose={onClose}
      onCloseAutoFocus={() => undefined}
    />,
  );
  const names = screen.getByLabelText('Served names');
  const save = screen.getByRole('button', { name: 'Save changes' });
  await user.type(names, ', not one');
  await user.click(save);
  await screen.findByText('Do not use spaces or commas inside a name');
  await user.clear(names);
  await user.type(names, 'qwen2.5:7b, first');
  await user.click(save);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const { routeList } = await visitor.client.operator.models.get.query({ modelId });
  expect(routeList).toMatchObject([{ servedNames: ['qwen2.5:7b', 'first'] }]);
});
