import type { Database } from '../client.ts';

const CHANNEL = 'tollgate_changes';

/** What changed, as the triggers of the schema tell it. */
export type Change =
  | { kind: 'key'; hashHex: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'catalogue' }
  /** Sent by a replica to itself, to prove that it still hears. */
  | { kind: 'echo'; replicaId: string };

export interface ChangeListener {
  onChange(change: Change): void;
  /** The connection stands (again): whatever was told in between was missed. */
  onConnected(): void;
}

/** Listens until stopped; the connection restores itself. */
export async function listenForChanges(db: Database, listener: ChangeListener): Promise<() => Promise<void>> {
  const subscription = await db.sql.listen(
    CHANNEL,
    (payload) => {
      const change = parseChange(payload);
      if (change !== null) listener.onChange(change);
    },
    () => listener.onConnected(),
  );
  return () => subscription.unlisten();
}

/** Tells every listener, the sender included, an echo. */
export async function sendEcho(db: Database, replicaId: string): Promise<void> {
  await db.sql.notify(CHANNEL, `echo ${replicaId}`);
}

function parseChange(payload: string): Change | null {
  const [kind = '', subject = ''] = payload.split(' ');
  switch (kind) {
    case 'key':
      return { kind, hashHex: subject };
    case 'account':
      return { kind, accountId: subject };
    case 'catalogue':
      return { kind };
    case 'echo':
      return { kind, replicaId: subject };
    default:
      // A newer release may tell more: an older replica lets it pass.
      return null;
  }
}
