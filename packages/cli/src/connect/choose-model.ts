import type { Client } from '@tollgate/core/clients/client';
import { listKeyModels } from './list-key-models.ts';

/** Built in, and needs no provider. */
const DEMO_MODEL = 'tollgate-demo';

/** The typed model, or a default of the client that the key can use, or the first other model, or the demo model. */
export async function chooseModel(input: {
  typed: string | null;
  baseUrl: string;
  key: string | null;
  client: Pick<Client, 'defaultModels'>;
}): Promise<string> {
  if (input.typed !== null) return input.typed;
  const models = (input.key === null ? null : await listKeyModels(input.baseUrl, input.key)) ?? [];
  const usual = input.client.defaultModels.find((id) => models.includes(id));
  return usual ?? models.find((id) => id !== DEMO_MODEL) ?? DEMO_MODEL;
}
