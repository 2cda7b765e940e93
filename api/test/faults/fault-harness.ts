import { createTestDatabase } from '@tollgate/testing/database';
import { startUnreachableServers } from '@tollgate/testing/unreachable-servers';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { FakeDialect } from '@tollgate/testing/fake-provider/script';
import { PROVIDER_FAULTS, SMALL_RESPONSE_MEMORY_BYTES } from '@tollgate/testing/fault-table';
import { createSelfSigned } from '@tollgate/upstreams/transport/http1/self-signed.fixture';
import { startTestApi } from '../../src/testing/start-test-api.ts';

export const FAULTY_DIALECTS: readonly FakeDialect[] = ['openai-chat', 'anthropic-messages'];

/** For faults that consist of waiting. A busy machine may need as long for others. */
const TIMEOUTS = { connectMs: 2_000, firstByteMs: 1_200, idleMs: 1_200, totalMs: 8_000 };

/** The record of one request. */
interface SettledRequest {
  status: number;
  errorCode: string | null;
  provider: string | null;
  costNanoUsd: string;
}

/** A gateway with a faulty provider, as the only one or with a healthy one of the other dialect as the second. */
export interface FaultHarness extends AsyncDisposable {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** The same with production timeouts. */
  patientBaseUrl: string;
  /** The same with production timeouts, and little memory for responses. */
  smallBaseUrl: string;
  secret: string;
  /** The provider that takes over from the faulty one. */
  sound: FakeProvider;
  /** Requests that reached a server that must not be reached. */
  reachedDeadEnds(): number;
  findSettled(requestId: string): Promise<SettledRequest[]>;
}

/** The model whose provider has the fault of that number; `backed`: with a second provider. */
export function getModel(fault: number, dialect: FakeDialect, kind: 'alone' | 'backed'): string {
  return `fault-${fault}-${dialect}-${kind}`;
}

export async function createFaultHarness(runtime: 'node' | 'web'): Promise<FaultHarness> {
  const database = await createTestDatabase();
  const { sql } = database.db;
  const faulty = await createFakeProvider();
  const sound = await createFakeProvider();
  const deadEnds = await startUnreachableServers(createSelfSigned('localhost'));
  const addProvider = async (name: string, dialect: FakeDialect, origin: string) => {
    await sql`INSERT INTO providers (id, name, dialect, base_url)
      VALUES (${`prov_${name}`}, ${name}, ${dialect}, ${`${origin}/v1`})`;
  };
  const addModel = async (id: string, providers: readonly string[]) => {
    await sql`INSERT INTO models (id) VALUES (${id})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${id}, 1000000000, 2000000000, now() - interval '1 minute')`;
    for (const [priority, provider] of providers.entries())
      await sql`INSERT INTO routes (id, model_id, provider_id, priority)
        VALUES (${`route_${id}_${priority}`}, ${id}, ${`prov_${provider}`}, ${priority})`;
  };
  for (const dialect of FAULTY_DIALECTS) {
    await addProvider(`faulty-${dialect}`, dialect, faulty.origin);
    await addProvider(`sound-${dialect}`, dialect, sound.origin);
    for (const [end, origin] of Object.entries(deadEnds.origins))
      await addProvider(`${end}-${dialect}`, dialect, origin);
  }
  for (const dialect of FAULTY_DIALECTS) {
    const other = dialect === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
    for (const [number, { provoke }] of PROVIDER_FAULTS.entries()) {
      const first = typeof provoke === 'string' ? `${provoke}-${dialect}` : `faulty-${dialect}`;
      for (const kind of ['alone', 'backed'] as const) {
        const model = getModel(number, dialect, kind);
        await addModel(model, kind === 'alone' ? [first] : [first, `sound-${other}`]);
        if (typeof provoke !== 'string') faulty.always(provoke(dialect), { model });
      }
    }
  }
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, {});
  const api = await startTestApi({ db: database.db, runtime, timeouts: TIMEOUTS, attempts: 2 });
  const patient = await startTestApi({ db: database.db, runtime, attempts: 2 });
  const small = await startTestApi({
    db: database.db,
    runtime,
    attempts: 2,
    responseMemoryBytes: SMALL_RESPONSE_MEMORY_BYTES,
  });
  return {
    baseUrl: api.baseUrl,
    patientBaseUrl: patient.baseUrl,
    smallBaseUrl: small.baseUrl,
    secret,
    sound,
    reachedDeadEnds: () => deadEnds.reached(),
    findSettled: (requestId) =>
      sql<SettledRequest[]>`
        SELECT status, error_code AS "errorCode", provider, cost_nano_usd::text AS "costNanoUsd"
        FROM requests WHERE id = ${requestId}`,
    async [Symbol.asyncDispose]() {
      await api.close();
      await patient.close();
      await small.close();
      await faulty.close();
      await sound.close();
      await deadEnds[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
