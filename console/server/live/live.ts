import { ChangeFeed } from '@tollgate/db/change-feed';
import type { Database } from '@tollgate/db/client';
import type { Change } from '@tollgate/db/queries/catalogue/changes';
import { findRole } from '@tollgate/db/queries/team/members';
import type { Logger } from 'pino';
import { createAskPace, type AskPace } from './ask-pace.ts';
import { createReplicaAsker, type ReplicaAsker } from './ask-replicas.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';
import { Watcher, type LiveChange } from './watcher.ts';

export type { LiveChange } from './watcher.ts';

/** A page that misses a change for some seconds reads it again automatically: nothing here decides who may do what. */
const PACE = { echoEveryMs: 2_000, silentAfterMs: 6_000, reconnectAfterMs: 8_000 };

export interface Watched {
  accountId: string;
  userId: string;
  signal: AbortSignal | undefined;
}

/** What pages are told while they are looked at. */
export interface Live {
  streams: OpenStreams;
  /** Asks the processes of the api; what a session may have asked is counted by `pace`. */
  asker: ReplicaAsker;
  pace: AskPace;
  /** What changes in an account, from now until the signal; ends where the watcher is no member any more. */
  watch(watched: Watched): AsyncIterable<LiveChange>;
  /** Cuts every stream: browsers reconnect to another process. */
  close(): Promise<void>;
}

/**
 * One connection of this process hears what the database's triggers tell, and passes it on to the pages of the account
 * concerned. It is opened when the first page watches, or has something asked.
 */
export function createLive({ db, log }: { db: Database; log: Logger }): Live {
  const streams = createOpenStreams();
  const watchers = new Set<Watcher>();
  const tellAll = (change: LiveChange) => {
    for (const watcher of watchers) watcher.tell(change);
  };
  const onChange = (change: Change) => {
    switch (change.kind) {
      case 'key':
        for (const watcher of watchers) if (watcher.accountId === change.accountId) watcher.tell('keys');
        return;
      case 'account':
        for (const watcher of watchers) {
          if (watcher.accountId === change.accountId) void recheck(db, watcher, log);
        }
        return;
      case 'catalogue':
      case 'plans':
        tellAll('catalogue');
        return;
      case 'session':
        streams.closeOf(change.idHashHex);
        return;
      // For the processes of the api.
      case 'ask':
      case 'echo':
    }
  };
  const feed = new ChangeFeed({
    db,
    // Never set back, and never ahead: only spans are measured.
    clock: { nowMs: () => performance.now() },
    log,
    pace: PACE,
    onChange,
    onGap: () => tellAll('everything'),
    onDeaf: () => undefined,
    onReply: (reply) => asker.hear(reply),
  });
  let started: Promise<void> | null = null;
  const start = async () => {
    started ??= feed.start();
    try {
      await started;
    } catch (error) {
      started = null;
      throw error;
    }
  };
  const asker = createReplicaAsker(db, start);
  return {
    streams,
    asker,
    pace: createAskPace(),
    async *watch({ signal, ...rest }) {
      const watcher = new Watcher(rest);
      watchers.add(watcher);
      try {
        await start();
        yield 'listening';
        yield* watcher.changes(signal);
      } finally {
        watchers.delete(watcher);
      }
    },
    async close() {
      streams.closeAll();
      await started?.catch(() => undefined);
      await feed.stop();
    },
  };
}

/** The account changed, or who belongs to it: anyone who belongs to it no more hears nothing more. */
async function recheck(db: Database, watcher: Watcher, log: Logger): Promise<void> {
  const { userId, accountId } = watcher;
  try {
    const role = await findRole(db, { userId, accountId });
    if (role === null) watcher.end();
    else watcher.tell('account');
  } catch (error) {
    log.debug({ err: error }, 'a watcher could not be looked at again');
  }
}
