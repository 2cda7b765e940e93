import type { Dialect } from '@tollgate/core/models/dialect';
import type { ProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import type { ProviderCredentialRow } from '@tollgate/db/queries/providers/provider-credentials';
import type { Provider } from '@tollgate/db/queries/providers/providers';

/** A provider without its credential and its headers' values, which never leave the server. */
export interface ProviderListRow {
  id: string;
  name: string;
  preset: string | null;
  dialect: Provider['dialect'];
  /** null: built in. */
  baseUrl: string | null;
  settings: Record<string, string>;
  connectTimeoutMs: number | null;
  firstByteTimeoutMs: number | null;
  idleTimeoutMs: number | null;
  totalTimeoutMs: number | null;
  maxConcurrency: number | null;
  /** A redacted URL, `direct`, or null for the proxy of the environment. */
  proxy: string | null;
  /** PEM. */
  caCertificates: string | null;
  http2: boolean;
  /** `env`: in a variable of the api's environment. */
  credential: { kind: 'stored' | 'none' } | { kind: 'env'; variable: string };
  credentials: { count: number; setAside: number };
  /** Whether accounts may attach credentials, and how many have one. */
  allowsOwnCredentials: boolean;
  ownCredentials: number;
  /** Of the headers that go with every request; their values never leave the server. */
  headerNames: string[];
  /** Request members that are forwarded although the contract does not know or rejects them. */
  allowedMembers: string[];
  /** What it listed in the last test that passed, 500 at most. */
  modelIds: string[];
  routes: number;
  /** By the newest requests of the last hour; null: none of them went there. */
  health: {
    calls: number;
    failures: number;
    lastFailureAt: string | null;
    /** What the provider said last about the operator's account, redacted; null: nothing since its last success. */
    lastMessage: { text: string; at: string } | null;
  } | null;
}

/** A request member that a provider's contract does not know, as one client sent it. */
export interface UnknownMemberRow {
  member: string;
  /** The family of the user agent. */
  client: string;
  requests: number;
  firstSeenAt: string;
  lastSeenAt: string;
}

/** A provider preset. */
export interface PresetRow {
  name: string;
  title: string;
  dialect: Dialect;
  baseUrl: string;
  settings: { name: string; about: string }[];
  needsCredential: boolean;
  /** What its credential looks like, in words. */
  credentialForm: string;
  docs: string;
}

export function toProviderRow(
  provider: Provider & { routes: number },
  {
    credentials,
    ownCredentials,
    health,
  }: {
    credentials: readonly Pick<ProviderCredentialRow, 'setAsideAt'>[];
    ownCredentials: number;
    health: ProviderHealth | null;
  },
): ProviderListRow {
  const {
    credentialSealed,
    credentialEnv,
    headersSealed: _,
    createdAt: __,
    proxySealed: ___,
    testPassedAt,
    ...rest
  } = provider;
  const message = health?.lastMessage ?? null;
  const isOutdated = message !== null && testPassedAt !== null && testPassedAt > message.at;
  return {
    ...rest,
    ownCredentials,
    credential: getCredential({ credentialSealed, credentialEnv }),
    credentials: {
      count: credentials.length,
      setAside: credentials.filter(({ setAsideAt }) => setAsideAt !== null).length,
    },
    health: health && {
      calls: health.calls,
      failures: health.failures,
      lastFailureAt: health.lastFailureAt?.toISOString() ?? null,
      lastMessage:
        message === null || isOutdated ? null : { text: message.text, at: message.at.toISOString() },
    },
  };
}

function getCredential(
  row: Pick<Provider, 'credentialSealed' | 'credentialEnv'>,
): ProviderListRow['credential'] {
  if (row.credentialEnv !== null) return { kind: 'env', variable: row.credentialEnv };
  return { kind: row.credentialSealed === null ? 'none' : 'stored' };
}
