import { parseAsk, parseReply, type Ask, type Reply } from '@tollgate/core/runtime/replica-asks';
import postgres from 'postgres';
import { presenceName } from '../../connected-services.ts';
import type { Database } from '../../client.ts';

const CHANNEL = 'tollgate_changes';
/** A separate channel, so that an answer to the console wakes none of the other processes. */
const REPLIES = 'tollgate_replies';
/** PostgreSQL takes nothing longer: https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7_999;

/** Changes as announced by the triggers of the schema. */
export type Change =
  | { kind: 'key'; hashHex: string; accountId: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'catalogue' }
  | { kind: 'plans' }
  /** A session has ended. */
  | { kind: 'session'; idHashHex: string }
  /** Sent by a replica to itself, to verify that it still receives changes. */
  | { kind: 'echo'; replicaId: string }
  /** A response in the background was cancelled or deleted: its replica stops it. */
  | { kind: 'response'; accountId: string; id: string }
  /** A question of the console that only the replicas can answer. */
  | { kind: 'ask'; ask: Ask };

export interface ChangeListener {
  onChange(change: Change): void;
  /** Connected (again): changes in between were missed. */
  onConnected(): void;
  /** Receives the answers of the api's processes to {@link Ask}. */
  onReply?: ((reply: Reply) => void) | undefined;
}

const STOP_TIMEOUT_SECONDS = 1;

/**
 * Listens on a separate connection until stopped; a closed connection is reopened, a silently dead one is not:
 * see {@link sendEcho}. Stopping never waits for a server that does not answer.
 * @throws if the database cannot be reached at first
 */
export async function listenForChanges(db: Database, listener: ChangeListener): Promise<() => Promise<void>> {
  const client = postgres(db.url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: presenceName() },
  });
  const stop = () => client.end({ timeout: STOP_TIMEOUT_SECONDS });
  try {
    await client.listen(
      CHANNEL,
      (payload) => {
        const change = parseChange(payload);
        if (change !== null) listener.onChange(change);
      },
      () => listener.onConnected(),
    );
    const { onReply } = listener;
    if (onReply !== undefined) {
      await client.listen(REPLIES, (payload) => {
        const reply = parseReply(payload);
        if (reply !== null) onReply(reply);
      });
    }
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends an echo to every listener, the sender included. */
export async function sendEcho(db: Database, replicaId: string): Promise<void> {
  await db.sql.notify(CHANNEL, `echo ${replicaId}`);
}

/** Announces that a response in the background is to be stopped. */
export async function announceResponseEnd(db: Database, accountId: string, id: string): Promise<void> {
  await db.sql.notify(CHANNEL, `response ${accountId} ${id}`);
}

/** Queries every replica; replicas that receive it respond with {@link sendReply}. */
export async function sendAsk(db: Database, ask: Ask): Promise<void> {
  await db.sql.notify(CHANNEL, `ask ${JSON.stringify(ask)}`);
}

/** @throws RangeError if it is too long */
export async function sendReply(db: Database, reply: Reply): Promise<void> {
  const payload = JSON.stringify(reply);
  if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new RangeError('The reply is too long');
  await db.sql.notify(REPLIES, payload);
}

function parseChange(payload: string): Change | null {
  const [kind = '', subject = '', second = ''] = payload.split(' ');
  switch (kind) {
    case 'key':
      return { kind, hashHex: subject, accountId: second };
    case 'account':
      return { kind, accountId: subject };
    case 'catalogue':
    case 'plans':
      return { kind };
    case 'session':
      return { kind, idHashHex: subject };
    case 'echo':
      return { kind, replicaId: subject };
    case 'response':
      return { kind, accountId: subject, id: second };
    case 'ask': {
      const ask = parseAsk(payload.slice('ask '.length));
      return ask === null ? null : { kind, ask };
    }
    default:
      // A newer release may announce more: an older replica ignores it.
      return null;
  }
}
