import type { Clock } from '@tollgate/core/runtime/clock';
import type { SetAsideCause } from '@tollgate/db/schema/catalogue';
import type { Logger } from 'pino';
import type { Route, RouteCredential } from './route.ts';

/** A credential that works again and is refused again within this time is not set aside: the provider is not sure of it. */
const MIN_USE_MS = 60_000;

/** How a provider refused a credential. */
export interface CredentialRefusal {
  cause: SetAsideCause;
  /** Redacted; null: nothing that is certainly about the credential. */
  message: string | null;
}

/** Stores the states for all replicas. */
export interface CredentialStore {
  /** @returns false if the credential has another version, or is set aside already */
  setAside(refused: { id: string; version: number; at: Date } & CredentialRefusal): Promise<boolean>;
  restore(credential: { id: string; version: number }): Promise<unknown>;
}

interface Refused extends CredentialRefusal {
  credential: RouteCredential;
  atMs: number;
}

/** A credential that answered a request while it was set aside. */
interface Restored {
  version: number;
  /** Start of the request. */
  startedAtMs: number;
  atMs: number;
}

/**
 * Which credentials their providers refused. In this process it holds immediately, in others once they have read the catalogue
 * again. A route whose credentials are all set aside uses all of them, so that it recovers without an operator.
 */
export class CredentialStates {
  readonly #store: CredentialStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By credential id; not in the current catalogue yet. */
  readonly #refused = new Map<string, Refused>();
  /** The last restore by a request, by credential id; the catalogue may not have it yet. */
  readonly #restored = new Map<string, Restored>();
  /** Writes in progress, by credential id. */
  readonly #writes = new Map<string, Promise<void>>();

  constructor({ store, clock, log }: { store: CredentialStore; clock: Clock; log: Logger }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** The routes whose credential is not set aside; all of them if each one is. */
  usable(routes: readonly Route[]): readonly Route[] {
    const usable = routes.filter(({ credential }) => this.#setAsideAtMs(credential) === null);
    return usable.length === 0 ? routes : usable;
  }

  /** The provider of the route refused its credential. */
  setAside(credential: RouteCredential, refusal: CredentialRefusal): void {
    const nowMs = this.#clock.nowMs();
    if (this.#setAsideAtMs(credential) !== null) return;
    if (nowMs - (this.#restored.get(credential.id)?.atMs ?? -Infinity) < MIN_USE_MS) return;
    const refused = { ...refusal, credential, atMs: nowMs };
    this.#refused.set(credential.id, refused);
    this.#restored.delete(credential.id);
    this.#log.warn({ credential: credential.label, cause: refusal.cause }, 'a credential was set aside');
    this.#save(refused);
  }

  /** A request that started at the time was answered with the credential. */
  noteServed(credential: RouteCredential, startedAtMs: number): void {
    const atMs = this.#setAsideAtMs(credential);
    const { id, version } = credential;
    if (atMs === null || startedAtMs <= atMs || this.#writes.has(id)) return;
    this.#refused.delete(id);
    this.#restored.set(id, { version, startedAtMs, atMs: this.#clock.nowMs() });
    this.#write(id, this.#store.restore({ id, version }));
  }

  /** Forgets what the catalogue has, and stores what it does not have. */
  noteCatalogue(routes: readonly Route[]): void {
    const known = new Map(
      routes.flatMap(({ credential }) => (credential ? [[credential.id, credential]] : [])),
    );
    for (const [id, { version }] of this.#restored) {
      const current = known.get(id);
      if (current === undefined) this.#restored.delete(id);
      // The write has failed, or is newer than what was read.
      else if (this.#isRestored(current) && !this.#writes.has(id))
        this.#write(id, this.#store.restore({ id, version }));
    }
    for (const [id, refused] of this.#refused) {
      const current = known.get(id);
      if (current?.version !== refused.credential.version || current.setAsideAtMs !== null)
        this.#refused.delete(id);
      else if (!this.#writes.has(id)) this.#save(refused);
    }
  }

  /** Waits for the writes in progress. */
  async close(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  #save({ credential, cause, message, atMs }: Refused): void {
    const { id, version } = credential;
    this.#write(id, this.#store.setAside({ id, version, at: new Date(atMs), cause, message }));
  }

  /** A failed write is repeated after the catalogue was read again, which happens when the database is available again. */
  #write(id: string, writing: Promise<unknown>): void {
    const write = writing
      .then(
        () => undefined,
        (error: unknown) => this.#log.warn({ err: error }, 'the state of a credential could not be stored'),
      )
      .finally(() => this.#writes.delete(id));
    this.#writes.set(id, write);
  }

  #setAsideAtMs(credential: RouteCredential | null): number | null {
    if (credential === null) return null;
    const refused = this.#refused.get(credential.id);
    if (refused?.credential.version === credential.version) return refused.atMs;
    return this.#isRestored(credential) ? null : credential.setAsideAtMs;
  }

  /** True if it is set aside in the catalogue, and has answered a request that started after that. */
  #isRestored({ id, version, setAsideAtMs }: RouteCredential): boolean {
    const restored = this.#restored.get(id);
    return setAsideAtMs !== null && restored?.version === version && setAsideAtMs < restored.startedAtMs;
  }
}
