import type { Sealer } from '@tollgate/auth/seal';
import type { Clock } from '@tollgate/core/runtime/clock';
import { openDatabase } from '@tollgate/db/client';
import type { Logger } from 'pino';
import { BackgroundRuns } from '../background/background-runs.ts';
import { LostRuns } from '../background/lost-runs.ts';
import { LeftLocks } from '../conversations/left-locks.ts';
import { ConversationStore } from '../conversations/conversation-store.ts';
import { ResponseStore } from './response-store.ts';
import { StoredTotals } from './stored-totals.ts';

const MAX_CONNECTIONS = 4;

export interface StoredStateOptions {
  databaseUrl: string;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  replicaId: string;
}

/** What accounts store in the gateway for later requests. */
export interface StoredState extends AsyncDisposable {
  responses: ResponseStore;
  conversations: ConversationStore;
  /** Responses that run without their callers. */
  background: BackgroundRuns;
  /** Begins to look after what other replicas left. */
  start(): void;
  /** Resolves once all writes in progress have ended; each has a time limit. */
  waitUntilStored(): Promise<void>;
}

/** Opens it on own connections: large rows must not keep other requests from checking their keys. */
export function openStoredState(options: StoredStateOptions): StoredState {
  const db = openDatabase(options.databaseUrl, {
    maxConnections: MAX_CONNECTIONS,
    applicationName: 'tollgate api responses',
  });
  const locks = new LeftLocks({ db, log: options.log });
  const parts = { ...options, db, locks, totals: new StoredTotals(db) };
  const responses = new ResponseStore(parts);
  const conversations = new ConversationStore(parts);
  const background = new BackgroundRuns(parts);
  const lostRuns = new LostRuns({ ...parts, runs: background });
  return {
    responses,
    conversations,
    background,
    start: () => lostRuns.start(),
    async waitUntilStored() {
      await Promise.all([responses.waitUntilStored(), background.waitUntilStored()]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([lostRuns[Symbol.asyncDispose](), locks[Symbol.asyncDispose]()]);
      await db.close();
    },
  };
}
