import type { Sealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import {
  loadCatalogue,
  type CatalogueRows,
  type ProviderRow,
} from '@tollgate/db/queries/catalogue/catalogue';
import {
  openConnections,
  type ProviderConnections,
} from '@tollgate/upstreams/connection/provider-connection';
import { NO_PROXIES, type ProxyEnvironment } from '@tollgate/upstreams/connection/proxy-environment';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import type { ProviderCredential } from '@tollgate/upstreams/credential/credential';
import { openCredential } from '@tollgate/upstreams/credential/open-credential';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import type { Logger } from 'pino';
import { buildCatalogue, type Catalogue } from './catalogue.ts';
import { getProviderEndpoints, type CredentialedProvider } from './route.ts';

const RETRY_MS = 1_000;
/**
 * The wait after a read, as a multiple of its time: thousands of models take long to read, and many changes one after the other
 * must leave most of the time to requests.
 */
const PAUSE_PER_READ = 4;
const MAX_PAUSE_MS = 1_000;

export interface LiveCatalogueOptions {
  db: Database;
  sealer: Sealer;
  /** The forward proxies of the environment; absent: none. */
  proxies?: ProxyEnvironment | undefined;
  log: Logger;
  /** Credentials from environment variables, by variable name. */
  environmentCredentials: Readonly<Record<string, string | undefined>>;
  /** Called after each read. */
  onRead?: (catalogue: Catalogue) => void;
}

/** The parts of a provider that are stored encrypted. */
interface OpenedProvider {
  credential: ProviderCredential;
  connections: ProviderConnections;
}

/** The in-memory catalogue, reloaded when the database reports a change. */
export class LiveCatalogue {
  readonly #options: LiveCatalogueOptions;
  #current: Catalogue = new Map();
  /** How many reads have started. */
  #reads = 0;
  /** The number of the read that the current catalogue is from. */
  #currentRead = 0;
  #isLoading = false;
  #isStale = false;
  #isStopped = false;
  /** Until it may be read again; null: it may. */
  #pause: ReturnType<typeof setTimeout> | null = null;

  constructor(options: LiveCatalogueOptions) {
    this.#options = options;
  }

  get current(): Catalogue {
    return this.#current;
  }

  /** Reads it now. @throws if the database does not answer */
  async load(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const rows = await loadCatalogue(this.#options.db);
    // A read that started later has ended earlier.
    if (read < this.#currentRead) return;
    this.#currentRead = read;
    this.#current = buildCatalogue(rows, (row, credentials) => this.#toProviders(row, credentials));
    this.#options.onRead?.(this.#current);
  }

  /** Reads it in the background, again if it changes meanwhile, and retries until it succeeds. */
  refresh(): void {
    this.#isStale = true;
    if (!this.#isLoading && this.#pause === null && !this.#isStopped) void this.#refresh();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
  }

  async #refresh(): Promise<void> {
    this.#isLoading = true;
    this.#isStale = false;
    const pauseMs = await this.#tryLoad();
    this.#isLoading = false;
    if (this.#isStopped) return;
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#isStale) void this.#refresh();
    }, pauseMs);
  }

  /** @returns the time until it may be read again */
  async #tryLoad(): Promise<number> {
    const startedAtMs = performance.now();
    try {
      await this.load();
      return Math.min(PAUSE_PER_READ * (performance.now() - startedAtMs), MAX_PAUSE_MS);
    } catch (error) {
      this.#isStale = true;
      this.#options.log.warn(
        { err: error },
        'the catalogue could not be read; the previous one stays in use',
      );
      return RETRY_MS;
    }
  }

  #toProviders(row: ProviderRow, credentials: CatalogueRows['credentials']): CredentialedProvider[] {
    const { dialect, baseUrl } = row;
    if (dialect === 'demo') {
      const provider = { kind: 'demo', name: row.name } as const;
      return [{ provider, endpoints: getProviderEndpoints(provider), credential: null, weight: 1 }];
    }
    if (baseUrl === null) return [];
    const stored = { ...row, dialect, baseUrl };
    const found: CredentialedProvider[] = [];
    let first: HttpProvider | null = null;
    for (const { id, label, version, weight, setAsideAt, credentialSealed } of credentials) {
      const isFirst = id === row.id;
      const opened = this.#open(
        isFirst ? stored : { ...stored, credentialSealed, credentialEnv: null },
        label,
      );
      if (opened === null) continue;
      // What was found out about a request with one credential holds for the others, so they share contracts.
      const provider: HttpProvider =
        first === null
          ? createHttpProvider(stored, opened.credential, opened.connections)
          : { ...first, ...opened };
      first ??= provider;
      found.push({
        provider,
        endpoints: getProviderEndpoints(provider),
        credential: { id, label, version, setAsideAtMs: setAsideAt?.getTime() ?? null },
        weight,
      });
    }
    return found;
  }

  #open(row: ProviderRow & { baseUrl: string }, label: string): OpenedProvider | null {
    const { environmentCredentials, sealer, proxies = NO_PROXIES } = this.#options;
    const apiKey = row.credentialEnv === null ? null : environmentCredentials[row.credentialEnv];
    if (apiKey === undefined) return null;
    try {
      const open = (sealed: Buffer, context: string) => sealer.open(sealed, context);
      const credential = openCredential(row, open, apiKey);
      return { credential, connections: openConnections(row, credential, { open, proxies }) };
    } catch {
      this.#options.log.error(
        { provider: row.name, credential: label },
        'the credential, the headers or the proxy cannot be opened with this ENCRYPTION_KEY: the credential is left out',
      );
      return null;
    }
  }
}
