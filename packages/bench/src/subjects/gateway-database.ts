import { createSealer } from '@tollgate/auth/seal';
import type { Dialect } from '@tollgate/core/models/dialect';
import { createId } from '@tollgate/core/runtime/ids';
import { openDatabase, type Database } from '@tollgate/db/client';
import { migrate } from '@tollgate/db/migrate';
import { putModel } from '@tollgate/db/queries/models/models';
import { addProvider } from '@tollgate/db/queries/providers/providers';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { PRICES } from './completion.ts';
import type { DatabaseServer } from './database-server.ts';
import { addMeteredKey, type MeteredKey } from './metered-key.ts';

/** The base URL of the provider of each model. */
export interface GatewayUpstreams {
  instant: string;
  streams: string;
  firstByte: string;
  delayed: string;
}

export interface BenchDatabase extends AsyncDisposable {
  name: string;
  url: string;
  db: Database;
  encryptionKey: string;
  /** A key without limits, on a plan that charges nothing. */
  openKey: string;
  /** Keys with every kind of limit, each in a separate account. */
  meteredKeys: readonly MeteredKey[];
}

export interface BenchDatabaseOptions {
  name: string;
  upstreams: GatewayUpstreams;
  meteredKeys: number;
}

/** Makes a database with the models of the benchmark, and keys. */
export async function createBenchDatabase(
  server: DatabaseServer,
  { name, upstreams, meteredKeys }: BenchDatabaseOptions,
): Promise<BenchDatabase> {
  await using resources = new AsyncDisposableStack();
  const url = await server.createDatabase(name);
  await migrate(url);
  const db = openDatabase(url, { maxConnections: 1, applicationName: 'tollgate-bench' });
  resources.defer(() => db.close());

  const { instant, streams, firstByte, delayed } = upstreams;
  const models: BenchModel[] = [
    { id: 'bench-model', provider: 'instant', dialect: 'openai-chat', baseUrl: instant },
    { id: 'bench-delayed', provider: 'delayed', dialect: 'openai-chat', baseUrl: delayed },
    { id: 'bench-stream', provider: 'streams', dialect: 'openai-chat', baseUrl: streams },
    { id: 'bench-translated', provider: 'messages', dialect: 'anthropic-messages', baseUrl: streams },
    { id: 'bench-first-byte', provider: 'first-byte', dialect: 'anthropic-messages', baseUrl: firstByte },
  ];
  for (const model of models) await addModel(db, server.encryptionKey, model);
  const { accountId } = await createAccountFixture(db, { email: 'bench@example.com' });
  const { secret } = await createKeyFixture(db, accountId, { name: 'bench' });
  const metered: MeteredKey[] = [];
  for (let index = 0; index < meteredKeys; index++) metered.push(await addMeteredKey(db, index));
  const owned = resources.move();
  return {
    name,
    url,
    db,
    encryptionKey: server.encryptionKey,
    openKey: secret,
    meteredKeys: metered,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface BenchModel {
  id: string;
  provider: string;
  dialect: Dialect;
  baseUrl: string;
}

async function addModel(db: Database, encryptionKey: string, model: BenchModel): Promise<void> {
  const providerId = createId('prov');
  const credential = JSON.stringify({ apiKey: 'upstream-credential', headers: {} });
  await addProvider(db, {
    id: providerId,
    name: model.provider,
    dialect: model.dialect,
    baseUrl: model.baseUrl,
    credentialSealed: createSealer(encryptionKey).seal(credential, `provider:${providerId}`),
  });
  await putModel(db, {
    id: model.id,
    facts: { contextTokens: 128_000, maxOutputTokens: 16_384 },
    prices: PRICES,
    now: new Date(0), // Past requests were made at this price too.
  });
  const route = {
    modelId: model.id,
    providerName: model.provider,
    upstreamModel: null,
    priority: 0,
    weight: 1,
  };
  const added = await addRoute(db, route);
  if (!added.ok) throw new Error(`The route of ${model.id} was refused: ${added.reason}`);
}
