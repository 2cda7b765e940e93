import { createRedactor, getHost, listSecrets } from '@tollgate/upstreams/credential/redact-secrets';
import { listHttpProviders, type Catalogue } from './catalogue.ts';

export type Redact = (text: string) => string;

/** The values that a redactor removes. */
export interface RedactorSource {
  secrets: readonly string[];
  hosts: readonly string[];
}

const redactors = new WeakMap<Catalogue, Redact>();

/** Removes the credentials and addresses of every provider in the catalogue from a text. Created for the first error. */
function redactorFor(catalogue: Catalogue): Redact {
  const known = redactors.get(catalogue);
  if (known !== undefined) return known;
  const redact = getRedactor([getSource(catalogue)]);
  redactors.set(catalogue, redact);
  return redact;
}

/** Removes the values of all sources. */
export function getRedactor(sources: readonly RedactorSource[]): Redact {
  const all = sources.map(({ secrets, hosts }) => createRedactor(secrets, hosts));
  return (text) => all.reduce((redacted, redact) => redact(redacted), text);
}

interface Redaction {
  redact: Redact;
  redactors: () => RedactorSource[];
}

/** The last one, which requests share until the catalogue changes. */
let last: { live: object; since: Catalogue; redaction: Redaction } | null = null;

/** Knows current and earlier credentials: a request in flight may use a replaced one. */
export function redactionSince(live: { readonly current: Catalogue }): Redaction {
  const { current } = live;
  if (last?.live === live && last.since === current) return last.redaction;
  const redaction = createRedaction(live, current);
  last = { live, since: current, redaction };
  return redaction;
}

function createRedaction(live: { readonly current: Catalogue }, current: Catalogue): Redaction {
  const isSame = () => live.current === current;
  return {
    redact: (text) => {
      const redacted = redactorFor(current)(text);
      return isSame() ? redacted : redactorFor(live.current)(redacted);
    },
    redactors: () => (isSame() ? [getSource(current)] : [getSource(current), getSource(live.current)]),
  };
}

function getSource(catalogue: Catalogue): RedactorSource {
  const http = [...new Set(listHttpProviders(catalogue))];
  return { secrets: http.flatMap(listSecrets), hosts: http.map(getHost) };
}
