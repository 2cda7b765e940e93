import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSealer } from '@tollgate/auth/seal';
import type { Dialect } from '@tollgate/core/dialect';
import { createId } from '@tollgate/core/ids';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded, readEmbeddedSecrets, type EmbeddedDatabase } from '@tollgate/db/embedded';
import { migrate } from '@tollgate/db/migrate';
import { putModel } from '@tollgate/db/queries/models';
import { addProvider } from '@tollgate/db/queries/providers';
import { addRoute } from '@tollgate/db/queries/routes';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';

/** The base URL of the provider of each model. */
export interface GatewayUpstreams {
  instant: string;
  streams: string;
  firstByte: string;
}

export interface BenchDatabase extends AsyncDisposable {
  url: string;
  db: Database;
  encryptionKey: string;
  /** A key without limits. */
  apiKey: string;
}

export async function openBenchDatabase(dir: string, upstreams: GatewayUpstreams): Promise<BenchDatabase> {
  await using resources = new AsyncDisposableStack();
  const dataDir = path.join(dir, 'data');
  mkdirSync(dataDir);
  // PostgreSQL may run as another user, who must be able to come in.
  chmodSync(dir, 0o755);
  const server = await openEmbedded(dataDir);
  resources.defer(() => stopServer(server, dataDir));
  await migrate(server.url);
  const db = openDatabase(server.url, { maxConnections: 1, applicationName: 'tollgate-bench' });
  resources.defer(() => db.close());

  const { encryptionKey } = readEmbeddedSecrets(dataDir);
  const { instant, streams, firstByte } = upstreams;
  const models: BenchModel[] = [
    { id: 'bench-model', provider: 'instant', dialect: 'openai-chat', baseUrl: instant },
    { id: 'bench-stream', provider: 'streams', dialect: 'openai-chat', baseUrl: streams },
    { id: 'bench-translated', provider: 'messages', dialect: 'anthropic-messages', baseUrl: streams },
    { id: 'bench-first-byte', provider: 'first-byte', dialect: 'anthropic-messages', baseUrl: firstByte },
  ];
  for (const model of models) await addModel(db, encryptionKey, model);
  const { accountId } = await createAccountFixture(db, { email: 'bench@example.com' });
  const { secret } = await createKeyFixture(db, accountId, { name: 'bench' });
  const owned = resources.move();
  return {
    url: server.url,
    db,
    encryptionKey,
    apiKey: secret,
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
    prices: {
      inputNanoUsdPerMtok: 2_500_000_000n,
      outputNanoUsdPerMtok: 10_000_000_000n,
      cacheReadNanoUsdPerMtok: null,
      cacheWriteNanoUsdPerMtok: null,
      cacheWrite1hNanoUsdPerMtok: null,
    },
    now: new Date(),
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

/** The server stays up while somebody is connected, and a connection outlives its client by some milliseconds. */
async function stopServer(server: EmbeddedDatabase, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    await server.stop();
    if (!existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))) return;
    await sleep(100);
  }
}
