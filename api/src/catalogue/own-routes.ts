import { Buffer } from 'node:buffer';
import type { Sealer } from '@tollgate/auth/seal';
import type { OwnCredential } from '@tollgate/db/queries/keys/key-lookup';
import { OWN_CLIENT } from '@tollgate/upstreams/connection/provider-connection';
import {
  ownCredentialContext,
  parseCredential,
  type ProviderCredential,
} from '@tollgate/upstreams/credential/credential';
import { listSecrets } from '@tollgate/upstreams/credential/redact-secrets';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import type { Logger } from 'pino';
import type { CachedKey } from '../keys/key-cache.ts';
import { getRedactor, type Redact, type RedactorSource } from './error-redactor.ts';
import { toOwnRoute, type Route } from './route.ts';

/** A credential of an account. */
interface Opened extends Pick<OwnCredential, 'mode' | 'isAllowed'> {
  /** null: it cannot be opened with this ENCRYPTION_KEY. */
  credential: ProviderCredential | null;
}

/** The credentials of accounts, opened once for each cached key. */
export class OwnCredentials {
  readonly #sealer: Sealer;
  readonly #log: Logger;
  readonly #byKey = new WeakMap<CachedKey, OwnRoutes>();

  constructor({ sealer, log }: { sealer: Sealer; log: Logger }) {
    this.#sealer = sealer;
    this.#log = log;
  }

  /** @returns null if the account of the key has none */
  find(key: CachedKey): OwnRoutes | null {
    if (key.ownCredentials === null) return null;
    let routes = this.#byKey.get(key);
    if (routes === undefined) {
      routes = new OwnRoutes(key.accountId, this.#open(key.accountId, key.ownCredentials));
      this.#byKey.set(key, routes);
    }
    return routes;
  }

  #open(accountId: string, stored: readonly OwnCredential[]): ReadonlyMap<string, Opened> {
    return new Map(
      stored.map(({ providerId, mode, isAllowed, sealed }) => {
        let credential: ProviderCredential | null = null;
        try {
          const context = ownCredentialContext(accountId, providerId);
          credential = parseCredential(this.#sealer.open(Buffer.from(sealed, 'base64'), context));
        } catch {
          this.#log.error({ accountId, providerId }, 'the credential of an account cannot be opened');
        }
        return [providerId, { mode, isAllowed, credential }];
      }),
    );
  }
}

/** The routes of one account with its own credentials. */
export class OwnRoutes {
  readonly #accountId: string;
  readonly #byProvider: ReadonlyMap<string, Opened>;
  /** By the route of the catalogue, which changes with it. */
  readonly #own = new WeakMap<Route, Route>();
  readonly #source: RedactorSource;
  #redact: Redact | null = null;

  constructor(accountId: string, byProvider: ReadonlyMap<string, Opened>) {
    this.#accountId = accountId;
    this.#byProvider = byProvider;
    const opened = [...byProvider.values()].flatMap(({ credential }) => credential ?? []);
    const secrets = opened.flatMap((credential) =>
      listSecrets({ credential, connections: OWN_CLIENT, settings: {}, baseUrl: '' }),
    );
    this.#source = { secrets, hosts: [] };
  }

  /**
   * The route with the credential of the account, in place of or before the usual ones.
   * @param usual the route with credentials of its provider
   * @returns none if only a credential may be used that cannot be used
   */
  expand(route: Route, usual: readonly Route[]): readonly Route[] {
    const { provider } = route;
    const opened = provider.kind === 'demo' ? undefined : this.#byProvider.get(provider.id);
    if (opened === undefined || provider.kind === 'demo') return usual;
    const { mode, isAllowed, credential } = opened;
    if (!isAllowed || credential === null) return mode === 'only' ? [] : usual;
    const own = this.#getOwn(route, provider, { mode, credential });
    return mode === 'only' ? [own] : [own, ...usual];
  }

  /** True if the account wants only its own credentials for a model with these routes. */
  isExclusive(routes: readonly Route[]): boolean {
    return routes.some(
      ({ provider }) => provider.kind !== 'demo' && this.#byProvider.get(provider.id)?.mode === 'only',
    );
  }

  /** Removes the credentials of the account, too. */
  addTo(usual: { redact: Redact; redactors: () => RedactorSource[] }): typeof usual {
    return {
      redact: (text) => {
        this.#redact ??= getRedactor([this.#source]);
        return usual.redact(this.#redact(text));
      },
      redactors: () => [...usual.redactors(), this.#source],
    };
  }

  #getOwn(
    route: Route,
    provider: HttpProvider,
    { mode, credential }: { mode: OwnCredential['mode']; credential: ProviderCredential },
  ): Route {
    let own = this.#own.get(route);
    if (own === undefined) {
      const { provider: usual, tokens } = provider.connections;
      own = toOwnRoute(route, {
        // Headers of the operator may authenticate the operator, so they are not sent.
        provider: { ...provider, credential, connections: { provider: usual, tokens: tokens ?? usual } },
        accountId: this.#accountId,
        isOneOfSeveral: mode === 'first',
      });
      this.#own.set(route, own);
    }
    return own;
  }
}
