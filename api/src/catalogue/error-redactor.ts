import { createRedactor, hostOf, listSecrets } from '@tollgate/upstreams/credential/redact-secrets';
import type { Catalogue } from './catalogue.ts';

export type Redact = (text: string) => string;

const redactors = new WeakMap<Catalogue, Redact>();

/** Takes the credentials and the addresses of every provider in the catalogue out of a text. Made when the first error needs it. */
export function redactorFor(catalogue: Catalogue): Redact {
  const known = redactors.get(catalogue);
  if (known !== undefined) return known;
  const providers = new Set(
    [...catalogue.values()].flatMap(({ routes }) => routes.map(({ provider }) => provider)),
  );
  const http = [...providers].filter((provider) => provider.kind === 'http');
  const redact = createRedactor(http.flatMap(listSecrets), http.map(hostOf));
  redactors.set(catalogue, redact);
  return redact;
}
