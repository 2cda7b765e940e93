import postgres from 'postgres';
import type { Database } from '../client.ts';

const CHANNEL = 'tollgate_changes';

/** What changed, as the triggers of the schema tell it. */
export type Change =
  | { kind: 'key'; hashHex: string; accountId: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'catalogue' }
  | { kind: 'plans' }
  /** A session has ended. */
  | { kind: 'session'; idHashHex: string }
  /** Sent by a replica to itself, to prove that it still hears. */
  | { kind: 'echo'; replicaId: string };

export interface ChangeListener {
  onChange(change: Change): void;
  /** The connection stands (again): whatever was told in between was missed. */
  onConnected(): void;
}

const STOP_TIMEOUT_SECONDS = 1;

/**
 * Listens on a connection of its own until stopped; one that closes is made anew, one that silently dies is not:
 * see {@link sendEcho}. Stopping never waits for a server that does not answer.
 * @throws where the database cannot be reached at first
 */
export async function listenForChanges(db: Database, listener: ChangeListener): Promise<() => Promise<void>> {
  const client = postgres(db.url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: 'tollgate changes' },
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
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Tells every listener, the sender included, an echo. */
export async function sendEcho(db: Database, replicaId: string): Promise<void> {
  await db.sql.notify(CHANNEL, `echo ${replicaId}`);
}

function parseChange(payload: string): Change | null {
  const [kind = '', subject = '', accountId = ''] = payload.split(' ');
  switch (kind) {
    case 'key':
      return { kind, hashHex: subject, accountId };
    case 'account':
      return { kind, accountId: subject };
    case 'catalogue':
    case 'plans':
      return { kind };
    case 'session':
      return { kind, idHashHex: subject };
    case 'echo':
      return { kind, replicaId: subject };
    default:
      // A newer release may tell more: an older replica lets it pass.
      return null;
  }
}
