import type { Database } from '@tollgate/db/client';
import { listProviders } from '@tollgate/db/queries/providers/providers';
import { DIRECT } from '@tollgate/upstreams/connection/provider-connection';
import { redactProxyUrl } from '@tollgate/upstreams/connection/proxy-url';
import type { CliEnv } from '../env.ts';
import { ok, type Check } from './check.ts';

/** Reports the forward proxies in use, without their user names and passwords. */
export async function checkProxies({ proxies }: CliEnv, db: Database): Promise<Check> {
  const { https, http, noProxy } = proxies;
  const parts = [
    ...(https === null ? [] : [`HTTPS_PROXY ${redactProxyUrl(https)}`]),
    ...(http === null ? [] : [`HTTP_PROXY ${redactProxyUrl(http)}`]),
    ...(noProxy === null || (https === null && http === null) ? [] : [`NO_PROXY ${noProxy}`]),
  ];
  for (const { name, proxy } of await listProviders(db))
    if (proxy !== null) parts.push(`${name}: ${proxy === DIRECT ? 'no proxy' : proxy}`);
  return ok('Proxies', parts.length === 0 ? 'none; providers are reached directly' : parts.join('; '));
}
