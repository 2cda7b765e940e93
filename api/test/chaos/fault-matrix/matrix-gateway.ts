import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { DEFAULT_RETRY } from '@tollgate/upstreams/routing/retry-policy';
import { startTestApi, type TestApi } from '../../../src/testing/start-test-api.ts';
import type { UpstreamTimeouts } from '@tollgate/upstreams/transport/transport';
import type { Fault } from './fault.ts';
import { startDeadAddresses } from './dead-addresses.ts';
import { startFaultyProvider, type FaultyProvider } from './faulty-provider.ts';
import { readLedger, type Ledger } from './ledger.ts';
import type { Trial } from './trial.ts';

/** For faults that consist of waiting: short, but long enough for a busy machine. */
const SHORT = { connectMs: 2_500, firstByteMs: 2_500, idleMs: 2_500, totalMs: 9_000 };
const FIRST_TOKEN_MS = 4_000;
/** For all others: nothing may be late because the machine is busy. */
const LONG = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
/** Calls of one provider at a time; a leak would soon be visible. */
const MAX_CONCURRENCY = 4;

export interface MatrixGateway extends AsyncDisposable {
  secret: string;
  /** The gateway of a fault. */
  getApi(fault: Fault): TestApi;
  apis: readonly TestApi[];
  getProvider(trial: Trial): FaultyProvider;
  providers: readonly FaultyProvider[];
  /** Requests that reached a server whose certificate is invalid. */
  reachedDeadAddresses(): number;
  readLedger(): Promise<Ledger>;
}

/** A gateway in which each trial has its own model and providers. */
export async function startMatrixGateway(trials: readonly Trial[]): Promise<MatrixGateway> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  const { sql } = database.db;
  const dead = stack.use(await startDeadAddresses());
  const common = stack.use(await startFaultyProvider(trials));
  const own = new Map<string, FaultyProvider>();
  for (const trial of trials)
    if (trial.fault.isWarmed === true) own.set(trial.id, stack.use(await startFaultyProvider([trial])));
  const getProvider = ({ id }: Trial) => own.get(id) ?? common;
  const rows = trials.flatMap((trial) => {
    const { id, fault, cell, kind, secondDialect } = trial;
    const { origin } = getProvider(trial);
    const first =
      typeof fault.provoke === 'string' ? `${dead.origins[fault.provoke]}/v1` : `${origin}/first/${id}/v1`;
    const backed = {
      model: id,
      id: `${id}-second`,
      dialect: secondDialect,
      url: `${origin}/second/${id}/v1`,
      priority: 1,
    };
    const faulty = { model: id, id: `${id}-first`, dialect: cell.dialect, url: first, priority: 0 };
    return kind === 'backed' ? [faulty, backed] : [faulty];
  });
  const table = () => sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
    AS given(model text, id text, dialect text, url text, priority integer)`;
  await sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency)
    SELECT 'prov_' || id, id, dialect, url, ${MAX_CONCURRENCY} FROM ${table()}`;
  await sql`INSERT INTO models (id, first_token_timeout_ms) SELECT DISTINCT model, ${FIRST_TOKEN_MS}::integer FROM ${table()}`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    SELECT DISTINCT model, 1000000000, 2000000000, now() - interval '1 minute' FROM ${table()}`;
  await sql`INSERT INTO routes (id, model_id, provider_id, priority, upstream_model)
    SELECT 'route_' || id, model, 'prov_' || id, priority, 'matrix' FROM ${table()}`;
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, { maxBudgetUsd: '1000' });
  const start = async (timeouts: UpstreamTimeouts) => {
    const api = await startTestApi({
      db: database.db,
      runtime: 'node',
      timeouts,
      attempts: DEFAULT_RETRY.attempts,
      // No pings, which would begin a stream before its error.
      tickMs: 60_000,
    });
    stack.defer(() => api.close());
    return api;
  };
  const [patient, impatient] = [await start(LONG), await start(SHORT)];
  const moved = stack.move();
  return {
    secret,
    getApi: ({ isSlow }) => (isSlow === true ? impatient : patient),
    apis: [patient, impatient],
    getProvider,
    providers: [common, ...own.values()],
    reachedDeadAddresses: () => dead.reached(),
    readLedger: () => readLedger(database.db),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}
