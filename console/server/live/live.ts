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

/** A page that misses a change rereads within seconds; nothing here authorizes anything. */
const PACE = { echoEveryMs: 2_000, silentAfterMs: 6_000, reconnectAfterMs: 8_000 };

export interface Watched {
  accountId: string;
  userId: string;
  signal: AbortSignal | undefined;
}

/** Changes that visible pages receive. */
export interface Live {
  streams: OpenStreams;
  /** Queries the API replicas; `pace` limits how often a session may do so. */
  asker: ReplicaAsker;
  pace: AskPace;
  /** Changes of an account until the signal aborts; ends when the watcher is no longer a member. */
  watch(watched: Watched): AsyncIterable<LiveChange>;
  /** Cuts every stream: browsers reconnect to another process. */
  close(): Promise<void>;
}

/**
 * One connection of this process receives the notifications of the database's triggers and passes them to the
 * affected account's pages. It opens with the first watcher or the first question to the replicas.
 */
export function createLive({ db, log }: { db: Database; log: Logger }): Live {
  const streams = createOpenStreams();
  const watchers = new Set<Watcher>();
  const tellAll = (change: LiveChange) => {
    for (const watcher of watchers) watcher.notify(change);
  };
  const onChange = (change: Change) => {
    switch (change.kind) {
      case 'key':
        for (const watcher of watchers) if (watcher.accountId === change.accountId) watcher.notify('keys');
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
        streams.getClose(change.idHashHex);
        return;
      // For the replicas.
      case 'ask':
      case 'echo':
      case 'response':
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

/** The account or its members changed: former members receive nothing more. */
async function recheck(db: Database, watcher: Watcher, log: Logger): Promise<void> {
  const { userId, accountId } = watcher;
  try {
    const role = await findRole(db, { userId, accountId });
    if (role === null) watcher.end();
    else watcher.notify('account');
  } catch (error) {
    log.debug({ err: error }, 'the membership of a watching user could not be checked');
  }
}
