import { createSealer } from '@tollgate/auth/seal';
import { systemClock, type Clock } from '@tollgate/core/runtime/clock';
import { openBodyStore } from '@tollgate/db/body-store';
import { openDatabase, type Database } from '@tollgate/db/client';
import { lockDirectory } from '@tollgate/db/directory-lock';
import { closeTokenizer } from '@tollgate/dialects/input-tokens/count-text-tokens';
import { openLedgerStore } from '@tollgate/db/ledger-store';
import { ensureRequestPartitions } from '@tollgate/db/queries/system/request-partitions';
import { Ledger, type LedgerOptions } from '@tollgate/ledger/ledger';
import type { Limits } from '@tollgate/limits/create-limits';
import type { BreakerPolicy } from '@tollgate/upstreams/routing/circuit-breaker';
import type { RetryPolicy } from '@tollgate/upstreams/routing/retry-policy';
import type { UpstreamTransport } from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import { addUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import type { HealthCheckTimes } from './health-checks/health-checks.ts';
import { openHealthChecks } from './health-checks/open-health-checks.ts';
import { UnknownTally } from './contracts/unknown-tally.ts';
import { BodyQueue } from './bodies/body-queue.ts';
import { openStoredState, type StoredState } from './stored/stored-state.ts';
import { forgetUnused } from './catalogue/forget-unused.ts';
import { LiveCatalogue, type LiveCatalogueOptions } from './catalogue/live-catalogue.ts';
import type { ChangeFeed } from '@tollgate/db/change-feed';
import type { KeyCache } from './keys/key-cache.ts';
import { createKeyWatch } from './keys/key-watch.ts';
import { createAllowedOrigins, type OriginCheck } from './middleware/cross-origin/cross-origin.ts';
import { createAnswerer } from './live/answer-asks.ts';
import type { UpstreamState } from './pipeline/upstream-state.ts';
import { createUpstreamState } from './catalogue/create-upstream-state.ts';
import { Drains } from './pipeline/drains.ts';
import { InFlight } from './pipeline/in-flight.ts';
import { createExpectations, type Expectations } from './pipeline/expectations.ts';
import { LargeAnswers, MIN_ACCOUNT_RESPONSE_BYTES } from './pipeline/large-answers.ts';
import { BodyBudget } from './request-body/body-budget.ts';
import { DEFAULT_BODY_PACE, type BodyPace } from './request-body/read-limits.ts';
import { ReadTurns } from './request-body/read-turns.ts';
import { bodyWorkersOptions, responseWorkersOptions } from './request-body/worker/body-workers-options.ts';
import { BodyWorkers, type BodyWorkersOptions } from './request-body/worker/body-workers.ts';
import { startTimers } from './timers.ts';
import { OpenSockets } from './websocket/open-sockets.ts';
import { within } from './within.ts';
import type { WorkersState } from './workers/messages.ts';
import { openLimits } from './workers/open-limits.ts';
import { shareMachine } from './workers/share-machine.ts';
import type { WorkerLink } from './workers/worker-link.ts';

/** Shutdown limit for flushing pending records, in ms. */
const LAST_WRITE_MS = 15_000;
/** Shutdown limit for storing the counts of unknown request members and health checks. */
const LAST_COUNT_MS = 2_000;
/** Default time that a provider is read after its caller disconnected. */
const DRAIN_MS = 10_000;
const PARTITION_MONTHS_AHEAD = 3;

/** All dependencies of the api, created and closed together. */
export interface ApiDeps extends Expectations {
  db: Database;
  clock: Clock;
  log: Logger;
  keys: KeyCache;
  catalogue: LiveCatalogue;
  limits: Limits;
  ledger: Ledger;
  /** Logged payloads waiting to be stored. */
  bodies: BodyQueue;
  stored: StoredState;
  /** The memory for request bodies. */
  bodyBudget: BodyBudget;
  bodyPace: BodyPace;
  bodyTurns: ReadTurns;
  bodyWorkers: BodyWorkers;
  /** The memory for responses that are not streams, and the threads that read large ones. */
  largeAnswers: LargeAnswers;
  /** Folder of the spool and the journal. */
  spoolDirectory: string;
  /** Counts request members that no contract knows. */
  unknownMembers: UnknownTally;
  inFlight: InFlight;
  /** Responses that are read on after their callers disconnected. */
  drains: Drains;
  sockets: OpenSockets;
  feed: ChangeFeed;
  upstreams: UpstreamState;
  isAllowedOrigin: OriginCheck;
  consoleUrl: string | null;
  isDraining(): boolean;
  /** True if it drains because a new worker has taken over. */
  isReplaced(): boolean;
  /** null: no other process shares the port. */
  workers(): WorkersState | null;
  /** True once new requests are refused: the last step before the process ends. */
  isRefusing(): boolean;
  /** `/readyz` answers 503, and responses carry `connection: close`. */
  startDraining(options?: { isReplaced: boolean }): void;
  /** Requests with an API key get 503 `shutting_down`. */
  startRefusing(): void;
  /** Writes pending records and closes every connection; nothing may be in flight. */
  close(): Promise<void>;
}

export interface ApiDepsOptions {
  databaseUrl: string;
  encryptionKey: string;
  /** Where settlements are spooled while the database is unavailable; only one process may use it. */
  spoolDirectory: string;
  /** The other processes that share the port, the cores and the memory; null: none. */
  link?: WorkerLink | null;
  /** Where replicas share limits; null: in this process. */
  redisUrl?: string | null;
  maxSpoolBytes?: number;
  /** For request bodies; by default a share of the available memory. */
  bodyMemoryBytes?: number;
  bodyPace?: BodyPace;
  bodyWorkers?: Partial<BodyWorkersOptions>;
  /** For responses that are not streams; by default a share of the available memory. */
  responseMemoryBytes?: number;
  ledgerWatch?: LedgerOptions['watch'];
  log: Logger;
  http: UpstreamTransport;
  /** URL of the console, whose pages may call from a browser, and which errors link to; null: none. */
  consoleUrl?: string | null;
  /** Further origins whose pages may call from a browser. */
  corsOrigins?: readonly string[];
  retry?: RetryPolicy;
  breaker?: BreakerPolicy;
  /** Interval of the in-flight sweep. */
  tickMs?: number;
  healthChecks?: Partial<HealthCheckTimes>;
  /** How long a provider is read after its caller disconnected, in ms; 0: not at all. */
  drainAfterDisconnectMs?: number;
  sockets?: Partial<OpenSockets['limits']>;
  proxies?: LiveCatalogueOptions['proxies'];
  environmentCredentials?: Readonly<Record<string, string | undefined>>;
}

const UNRECORDED = 'the last requests could not be recorded: the database does not respond';
const SPOOL_ADVICE = 'Give each api process its own DATA_DIR, or stop the other process.';

/**
 * Connects to the database and starts listening for changes. If a step fails, everything opened before is closed.
 * @throws DirectoryInUseError if another process uses the spool directory; Error if the database does not answer
 */
export async function openApiDeps(options: ApiDepsOptions): Promise<ApiDeps> {
  await using opened = new AsyncDisposableStack();
  const deps = await openParts(options, opened);
  opened.move();
  return deps;
}

/** @param opened collects a disposer for each part, in case the start fails */
async function openParts(options: ApiDepsOptions, opened: AsyncDisposableStack): Promise<ApiDeps> {
  const { log } = options;
  const spoolLock = lockDirectory(options.spoolDirectory, SPOOL_ADVICE);
  opened.defer(() => spoolLock.release());
  const db = openDatabase(options.databaseUrl, { applicationName: 'tollgate api' });
  opened.defer(() => db.close());
  const clock = systemClock;
  const inFlight = new InFlight((error) => log.error({ err: error }, 'a completion in progress failed'));
  const drains = new Drains({ limitMs: options.drainAfterDisconnectMs ?? DRAIN_MS });
  const machine = shareMachine(options.link?.state.workers ?? 1);
  const bodyBudget = new BodyBudget(machine.shareBodies(options.bodyMemoryBytes));
  const sockets = new OpenSockets(bodyBudget, log, options.sockets);
  const limits = await openLimits({ redisUrl: options.redisUrl ?? null, link: options.link ?? null, log });
  opened.defer(() => limits.close());
  const ledger = new Ledger({
    store: openLedgerStore(options.databaseUrl),
    log,
    spoolDirectory: options.spoolDirectory,
    ...(options.maxSpoolBytes === undefined ? {} : { maxSpoolBytes: options.maxSpoolBytes }),
    ...(options.ledgerWatch === undefined ? {} : { watch: options.ledgerWatch }),
  });
  opened.defer(() => ledger.close());
  const sealer = createSealer(options.encryptionKey);
  const bodies = new BodyQueue({ store: openBodyStore(options.databaseUrl), sealer, log });
  opened.defer(() => bodies.close());
  const stored = opened.use(openStoredState({ ...options, sealer, clock, replicaId: ledger.replicaId }));
  const unknownMembers = new UnknownTally({ store: (counts) => addUnknownMembers(db, counts), log });
  opened.defer(() => unknownMembers.close());
  const upstreams = createUpstreamState({ ...options, db, clock, sealer });
  opened.defer(() => upstreams.credentials.close());
  const catalogue = new LiveCatalogue({
    ...options,
    db,
    sealer,
    environmentCredentials: options.environmentCredentials ?? {},
    onRead: (read) => forgetUnused(read, upstreams),
  });
  opened.defer(() => catalogue.stop());
  opened.defer(() => upstreams.transports.close());
  opened.defer(() => upstreams.demo.close());
  const healthChecks = openHealthChecks({ ...options, db, clock, upstreams, catalogue });
  opened.defer(() => healthChecks.close());
  let [isDraining, isReplaced, isRefusing] = [false, false, false];
  const { keys, feed } = createKeyWatch({
    db,
    clock,
    log,
    catalogue,
    inFlight,
    sockets,
    onResponseEnd: (place) => void stored.background.stop(place),
    onRead: ({ id, accountId, spentNanoUsd, heldNanoUsd, balance }) => {
      ledger.totals.noteKey({ keyId: id, spentNanoUsd, heldNanoUsd });
      ledger.totals.noteBalance({ accountId, ...balance });
    },
    onAsk: createAnswerer({
      db,
      clock,
      log,
      limits,
      ledger,
      inFlight,
      breakers: upstreams.breakers,
      workers: () => options.link?.state ?? null,
      isDraining: () => isDraining,
    }),
  });
  opened.defer(() => feed.stop());
  const bodyWorkers = new BodyWorkers({ ...bodyWorkersOptions(machine), ...options.bodyWorkers });
  opened.defer(() => bodyWorkers.close());
  const responseBudget = new BodyBudget(machine.shareResponses(options.responseMemoryBytes), {
    minAccountBytes: MIN_ACCOUNT_RESPONSE_BYTES,
  });
  // Separate threads: a large response does not delay the requests of others.
  const largeAnswers = new LargeAnswers(responseBudget, new BodyWorkers(responseWorkersOptions(machine)));
  opened.defer(() => largeAnswers.close());
  const ensurePartitions = () => ensureRequestPartitions(db, PARTITION_MONTHS_AHEAD);
  await ensurePartitions();
  await catalogue.load();
  await feed.start();
  await ledger.start();
  const stopTimers = startTimers({ inFlight, sockets, ensurePartitions, log, tickMs: options.tickMs });
  stored.start();
  healthChecks.start();
  return {
    db,
    clock,
    log,
    keys,
    catalogue,
    limits,
    ...createExpectations(clock),
    ledger,
    bodies,
    stored,
    unknownMembers,
    bodyBudget,
    bodyPace: options.bodyPace ?? DEFAULT_BODY_PACE,
    bodyTurns: new ReadTurns(),
    bodyWorkers,
    largeAnswers,
    spoolDirectory: options.spoolDirectory,
    inFlight,
    drains,
    sockets,
    feed,
    upstreams,
    isAllowedOrigin: createAllowedOrigins(options),
    consoleUrl: options.consoleUrl ?? null,
    isDraining: () => isDraining,
    isReplaced: () => isReplaced,
    workers: () => options.link?.state ?? null,
    isRefusing: () => isRefusing,
    startDraining: (started) => {
      isDraining = true;
      isReplaced ||= started?.isReplaced === true;
      healthChecks.stop();
      drains.close();
      sockets.drain();
    },
    startRefusing: () => void (isRefusing = true),
    close: async () => {
      stopTimers();
      catalogue.stop();
      healthChecks.stop();
      await Promise.all([
        upstreams.transports.close(),
        upstreams.demo.close(),
        limits.close(),
        closeTokenizer(),
        bodyWorkers.close(),
        largeAnswers.close(),
      ]);
      const counting = Promise.all([unknownMembers.close(), healthChecks.close()]);
      await within(counting, LAST_COUNT_MS, 'the last counts were not stored').catch((error: unknown) =>
        log.warn({ err: error }, 'unknown request members or health checks could not be stored'),
      );
      const keeping = bodies.close();
      try {
        await within(ledger.close(), LAST_WRITE_MS, UNRECORDED);
      } finally {
        await keeping;
        await feed.stop();
        await upstreams.credentials.close();
        await Promise.all([stored[Symbol.asyncDispose](), db.close()]);
        spoolLock.release();
      }
    },
  };
}
