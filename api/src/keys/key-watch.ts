import type { Buffer } from 'node:buffer';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Ask } from '@tollgate/core/runtime/replica-asks';
import type { Database } from '@tollgate/db/client';
import type { Change } from '@tollgate/db/queries/catalogue/changes';
import { findKeyByHash, type KeyRecord } from '@tollgate/db/queries/keys/key-lookup';
import type { Logger } from 'pino';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { InFlight } from '../pipeline/in-flight.ts';
import type { OpenSockets } from '../websocket/open-sockets.ts';
import { ChangeFeed } from '@tollgate/db/change-feed';
import { within } from '../within.ts';
import { KeyCache, type CachedKey } from './key-cache.ts';

export interface KeyWatchOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  catalogue: LiveCatalogue;
  inFlight: InFlight;
  /** Also those without a request in flight end with their key. */
  sockets: OpenSockets;
  /** Called with each key that is read. */
  onRead: (key: KeyRecord) => void;
  /** Called when a response in the background was cancelled or deleted. */
  onResponseEnd: (place: { accountId: string; id: string }) => void;
  /** Called with each question from the console; must not take long. */
  onAsk: (ask: Ask) => void;
}

/** A dead connection that was not closed must not block a request. */
const LOOK_UP_LIMIT_MS = 3_000;

const REVOKED: GatewayError = {
  code: 'revoked_api_key',
  message: 'Authentication Error: this Tollgate API key was revoked while its request was in progress.',
};
const SUSPENDED: GatewayError = {
  code: 'account_suspended',
  message: 'The account of this Tollgate API key was suspended while its request was in progress.',
};

/** The key cache and the feed that keeps it current: a change drops entries and cuts requests in flight. */
export function createKeyWatch(options: KeyWatchOptions): { keys: KeyCache; feed: ChangeFeed } {
  const { db, clock, log, catalogue, inFlight, sockets } = options;
  const keys = new KeyCache({
    clock,
    find: (hash) => findInTime(db, hash),
    onRead: options.onRead,
    isHearing: () => feed.isHearing(),
  });
  const recheck = async (hashHex: string) => {
    try {
      const error = reasonToCut(await keys.find(hashHex));
      if (error === null) return;
      // First, so that no waiting response starts after a cut.
      sockets.endKey(hashHex, error);
      inFlight.cutKey(hashHex, error);
    } catch (error) {
      log.error({ err: error }, 'a changed key could not be read again');
    }
  };
  const recheckInFlight = () => {
    const inUse = new Set([...inFlight.keyHashes(), ...sockets.keyHashes()]);
    for (const hashHex of inUse) void recheck(hashHex);
  };
  const onChange = (change: Change) => {
    switch (change.kind) {
      case 'key':
        keys.dropKey(change.hashHex);
        if (inFlight.hasKey(change.hashHex) || sockets.hasKey(change.hashHex)) void recheck(change.hashHex);
        return;
      case 'account':
        keys.dropAccount(change.accountId);
        recheckInFlight();
        return;
      case 'catalogue':
        catalogue.refresh();
        return;
      case 'plans':
        keys.dropAll();
        return;
      case 'response':
        options.onResponseEnd(change);
        return;
      case 'ask':
        options.onAsk(change.ask);
        return;
      case 'session':
      case 'echo':
    }
  };
  const onGap = () => {
    keys.dropAll();
    catalogue.refresh();
    recheckInFlight();
  };
  const feed: ChangeFeed = new ChangeFeed({
    db,
    clock,
    log,
    onChange,
    onGap,
    // Meanwhile the cache reads a key again every second, so this costs no more than that.
    onDeaf: recheckInFlight,
  });
  return { keys, feed };
}

function reasonToCut(key: CachedKey | null): GatewayError | null {
  if (key === null || key.revokedAt !== null) return REVOKED;
  return key.accountSuspendedAt === null ? null : SUSPENDED;
}

function findInTime(db: Database, hash: Buffer): Promise<KeyRecord | null> {
  return within(findKeyByHash(db, hash), LOOK_UP_LIMIT_MS, 'The database does not respond');
}
