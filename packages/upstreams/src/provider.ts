import type { Dialect } from '@tollgate/core/dialect';

/** What authenticates the gateway at a provider. */
export interface ProviderCredential {
  apiKey: string | null;
  /** Sent with every request, names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** A provider reached over HTTP, which speaks one dialect. */
export interface HttpProvider {
  kind: 'http';
  name: string;
  dialect: Dialect;
  /** Without a slash at the end: `https://api.openai.com/v1`. */
  baseUrl: string;
  credential: ProviderCredential;
}

/** The provider built into the gateway: it needs no network and speaks every dialect. */
interface DemoProvider {
  kind: 'demo';
  name: string;
}

export type Provider = HttpProvider | DemoProvider;

/** True where a request can go to the provider without translation. */
export function speaksDialect(provider: Provider, dialect: Dialect): boolean {
  return provider.kind === 'demo' || provider.dialect === dialect;
}
