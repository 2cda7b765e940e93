import type { Database } from '@tollgate/db/client';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { PRICES } from './gateway-fixture.ts';
import { startResponsesProvider, type ResponsesProvider } from './sdk/responses-provider.ts';

/** A model whose provider speaks the Responses API, so that requests to that API are not translated. */
export const NATIVE = 'native-model';

/** Starts a provider of the Responses API, and adds its model to the catalogue. */
export async function startNativeProvider(db: Database): Promise<ResponsesProvider> {
  const native = await startResponsesProvider();
  await ensureBuiltIn(db, {
    name: 'native',
    dialect: 'openai-responses',
    baseUrl: native.baseUrl,
    credentialEnv: null,
    preset: null,
    models: [{ id: NATIVE, upstreamModel: 'upstream', facts: {}, prices: PRICES }],
  });
  return native;
}
