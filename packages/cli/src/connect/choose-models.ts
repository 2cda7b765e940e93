import type { Client } from '@tollgate/core/clients/client';
import { findSmallModel, isSmallModel } from '@tollgate/core/clients/small-models';
import { listKeyModels } from './list-key-models.ts';

/** Built in, and needs no provider. */
const DEMO_MODEL = 'tollgate-demo';

interface ChosenModels {
  model: string;
  /** For small tasks. */
  smallModel: string;
}

/** The typed model, or a default of the client that the key can use, or the first other one that is not small, or the demo model. */
export async function chooseModels(input: {
  typed: string | null;
  baseUrl: string;
  key: string | null;
  client: Pick<Client, 'defaultModels'>;
}): Promise<ChosenModels> {
  const models = (input.key === null ? null : await listKeyModels(input.baseUrl, input.key)) ?? [];
  const usual = input.client.defaultModels.find((id) => models.includes(id));
  const others = models.filter((id) => id !== DEMO_MODEL);
  const fallback = others.find((id) => !isSmallModel(id)) ?? others[0] ?? DEMO_MODEL;
  const model = input.typed ?? usual ?? fallback;
  return { model, smallModel: findSmallModel(model, models) };
}
