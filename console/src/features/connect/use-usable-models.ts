import { ModelSet } from '@tollgate/core/models/model-pattern';
import type { Client } from '@tollgate/core/clients/client';
import { useCatalogue } from '../../lib/catalogue.ts';
import { findSampleModel, listChatModels } from '../../lib/sample-model.ts';

/** Placeholder until the installation has a model. */
const NO_MODEL = 'your-model';

/** The text models that a key can use. @param allowed null: all of the account */
export function useUsableModels(accountId: string, allowed: readonly string[] | null) {
  const catalogue = useCatalogue(accountId);
  const models = catalogue.data?.models ?? [];
  const set = allowed === null ? null : new ModelSet(allowed);
  const ids = listChatModels(models)
    .map(({ id }) => id)
    .filter((id) => set?.has(id) ?? true);
  const { isPending, isError, error, refetch, isRefetching } = catalogue;
  /** The wanted model if the key can use it, else a default of the client, else the one for samples. */
  const choose = (wanted: string | undefined, client: Client): string => {
    if (wanted !== undefined && ids.includes(wanted)) return wanted;
    return (
      client.defaultModels.find((id) => ids.includes(id)) ?? findSampleModel(models, allowed)?.id ?? NO_MODEL
    );
  };
  return { ids, choose, isPending, isError, error, refetch, isRefetching };
}
