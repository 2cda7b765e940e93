import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tollgate/testing/database';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFleet, type ApiFleet } from './harness/api-fleet.ts';
import { ask, openSockets, type Answer } from './harness/ask.ts';
import { audit } from './harness/audit.ts';
import { readLedgerSnapshot, untilRecovered } from './harness/ledger-snapshot.ts';
import { METERED_MODEL, setScene, type Scene } from './harness/scene.ts';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';

const STREAMS = 12;
const INTERVAL_MS = 50;
/** Longer than it takes to commit the holds of all requests, even on a loaded machine. */
const SILENT_PIECES = 100;
const KILL_AFTER_MS = 5_000;
/** Two seconds between checkpoints, the interval of the checks, and the delay of a loaded machine. */
const CHECKPOINT_WITHIN_MS = 3_000;
const RELEASED_WITHIN_MS = 60_000;

describe.each(['node', 'web'] as const)('a process on the %s runtime that is killed', (runtime) => {
  const agent = openSockets();
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let scene: Scene;
  let fleet: ApiFleet;
  beforeAll(async () => {
    database = await createTestDatabase();
    scene = await setScene(database.url);
    fleet = await startFleet({ processes: 1, databaseUrl: database.url, redisUrl: null, runtime });
  });
  afterAll(async () => {
    agent.destroy();
    await fleet[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('bills exactly what it answered while the database did not respond', { timeout: 120_000 }, async () => {
    const [prepaid] = await scene.createPayers({ keys: 1, creditNanoUsd: 1_000_000_000n });
    const [unlimited] = await scene.createPayers({ keys: 1, creditNanoUsd: null });
    const [victim] = fleet.apis;
    if (victim === undefined || prepaid === undefined || unlimited === undefined)
      throw new Error('There is no api, or no payer');
    scene.provider.reset();
    scene.provider.always(
      createMeteredModel({ thinkMs: 20, pieces: SILENT_PIECES, intervalMs: INTERVAL_MS }),
    );
    const asked = Array.from({ length: 2 * STREAMS }, (_, index) => {
      const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
      if (endpoint === undefined) throw new Error('There is no endpoint');
      const secret = index % 2 === 0 ? prepaid.secret : unlimited.secret;
      const question = { baseUrl: victim.baseUrl, secret, endpoint, model: METERED_MODEL, maxTokens: 500 };
      return ask({ ...question, marker: `silent-${runtime}-${index}`, stream: index % 4 < 2 }, agent);
    });
    // A prepaid key's request has a row once it is held; the short ones are settled already.
    const countHeld = () =>
      scene.db.sql`SELECT 1 FROM requests WHERE key_id = ${prepaid.keyId}`.then(({ length }) => length);
    await expect.poll(countHeld, { timeout: SILENT_PIECES * INTERVAL_MS }).toBe(STREAMS);
    const silence = await silenceLedger(scene);
    const answers = await Promise.all(asked);
    await victim.kill();
    await silence.end();
    await victim.start();
    await untilRecovered(scene.db, fleet, RELEASED_WITHIN_MS);
    expect(answers.filter(({ isReceived }) => !isReceived)).toEqual([]);
    const payers = [prepaid, unlimited];
    await expect
      .poll(async () => (await readLedgerSnapshot(scene.db, payers)).length, { timeout: 10_000 })
      .toBe(asked.length);
    const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
    expect(audited).toMatchObject({
      exact: asked.length,
      estimated: 0,
      missing: [],
      differing: [],
      violations: [],
    });
    expect(audited.exactNanoUsd).toBe(audited.meteredNanoUsd);
  });

  it(
    'bills exactly a stream whose terminator has arrived, before its connection ends',
    { timeout: 120_000 },
    async () => {
      const [payer] = await scene.createPayers({ keys: 1, creditNanoUsd: null });
      const [victim] = fleet.apis;
      if (victim === undefined || payer === undefined) throw new Error('There is no api, or no payer');
      scene.provider.reset();
      const model = createMeteredModel({ thinkMs: 0, pieces: 20, intervalMs: 1 });
      // The provider sends everything, but does not end its response.
      scene.provider.always((request, headers) => ({
        ...model(request, headers),
        stallAfterPieces: Infinity,
      }));
      const silence = await silenceLedger(scene);
      const ended = new Set<string>();
      const asked = Array.from({ length: STREAMS }, (_, index) => {
        const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
        if (endpoint === undefined) throw new Error('There is no endpoint');
        const marker = `terminator-${runtime}-${index}`;
        const onData = (text: string) => {
          if (TERMINATOR.test(text)) ended.add(marker);
        };
        const question = {
          baseUrl: victim.baseUrl,
          secret: payer.secret,
          endpoint,
          model: METERED_MODEL,
          marker,
        };
        return ask({ ...question, maxTokens: 500, stream: true, onData }, agent);
      });
      await expect.poll(() => ended.size, { timeout: 20_000 }).toBe(STREAMS);
      await victim.kill();
      const answers = await Promise.all(asked);
      await silence.end();
      await victim.start();
      await expect
        .poll(async () => (await readLedgerSnapshot(scene.db, [payer])).length, { timeout: 10_000 })
        .toBe(STREAMS);
      const rows = new Map((await readLedgerSnapshot(scene.db, [payer])).map((row) => [row.id, row]));
      for (const answer of answers) {
        const metered = scene.provider.requests.find(({ body }) => body.includes(`<${answer.marker}>`));
        expect(rows.get(answer.requestId ?? '')).toMatchObject({
          estimated: false,
          status: 200,
          outputTokens: metered?.usage?.outputTokens,
        });
      }
    },
  );

  it(
    'bills streams at least up to their last checkpoint, and finished ones exactly',
    { timeout: 120_000 },
    async () => {
      const payers = await scene.createPayers({ keys: 1, creditNanoUsd: 1_000_000_000n });
      const [victim] = fleet.apis;
      const [payer] = payers;
      if (victim === undefined || payer === undefined) throw new Error('There is no api, or no payer');
      const pieces: { atMs: number }[][] = Array.from({ length: STREAMS }, () => []);
      const start = (index: number): Promise<Answer> => {
        const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
        if (endpoint === undefined) throw new Error('There is no endpoint');
        let seen = 0;
        return ask(
          {
            baseUrl: victim.baseUrl,
            secret: payer.secret,
            endpoint,
            model: METERED_MODEL,
            marker: `${runtime}-${index}`,
            stream: true,
            maxTokens: 2_000,
            onData: (text) => {
              for (const count = countPieces(text); seen < count; seen++)
                pieces[index]?.push({ atMs: performance.now() });
            },
          },
          agent,
        );
      };
      // Half of them end before the kill, the other half are cut off by it.
      const short = createMeteredModel({ thinkMs: 30, pieces: 20, intervalMs: INTERVAL_MS });
      const long = createMeteredModel({ thinkMs: 30, pieces: 2_000, intervalMs: INTERVAL_MS });
      scene.provider.always(short);
      const ending = Array.from({ length: STREAMS / 2 }, (_, index) => start(index));
      await untilBegun(pieces.slice(0, STREAMS / 2));
      scene.provider.always(long);
      const cut = Array.from({ length: STREAMS / 2 }, (_, index) => start(STREAMS / 2 + index));
      await untilBegun(pieces.slice(STREAMS / 2));
      await Promise.all([...ending, sleep(KILL_AFTER_MS)]);
      await victim.kill();
      const killedAtMs = performance.now();
      const answers = await Promise.all([...ending, ...cut]);
      await victim.start();
      await untilRecovered(scene.db, fleet, RELEASED_WITHIN_MS);
      const rows = new Map((await readLedgerSnapshot(scene.db, payers)).map((row) => [row.id, row]));
      expect(answers.filter(({ isReceived }) => isReceived)).toHaveLength(STREAMS / 2);
      for (const [index, answer] of answers.entries()) {
        const row = rows.get(answer.requestId ?? '');
        if (answer.isReceived) {
          expect(row).toMatchObject({ estimated: false, status: 200 });
          continue;
        }
        const received = pieces[index] ?? [];
        const atCheckpoint = received.filter(({ atMs }) => atMs < killedAtMs - CHECKPOINT_WITHIN_MS).length;
        expect(atCheckpoint).toBeGreaterThan(10);
        expect(row).toMatchObject({ estimated: true, status: 499 });
        // A piece is a word of at least one token.
        expect(row?.outputTokens).toBeGreaterThanOrEqual(atCheckpoint);
      }
      const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
      expect(audited).toMatchObject({
        estimatedAnswered: 0,
        missing: [],
        duplicates: [],
        differing: [],
        violations: [],
      });
    },
  );
});

const TERMINATOR = /data: \[DONE\]|"type":"(?:message_stop|response\.completed)"/;

/** Waits until every stream has sent a piece, which is slow on a loaded machine. */
async function untilBegun(pieces: readonly (readonly unknown[])[]): Promise<void> {
  await expect.poll(() => pieces.every(({ length }) => length > 0), { timeout: 20_000 }).toBe(true);
}

/** Blocks commits of the ledger until the end; those sent by then are never committed. */
async function silenceLedger({ db }: Scene): Promise<{ end(): Promise<void> }> {
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const held = db.sql.begin(async (sql) => {
    await sql`SELECT 1 FROM key_totals FOR UPDATE`;
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  return {
    async end() {
      await db.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'tollgate ledger%' AND datname = current_database()`;
      over.resolve();
      await held;
    },
  };
}

/** Pieces of text in a partial stream, in any dialect. */
function countPieces(text: string): number {
  return text.match(/"(?:content":"[^"]|text_delta"|type":"response\.output_text\.delta")/g)?.length ?? 0;
}
