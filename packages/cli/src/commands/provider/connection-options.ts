import { readFile } from 'node:fs/promises';
import type { Sealer } from '@tollgate/auth/seal';
import type { ConnectionColumns } from '@tollgate/db/queries/providers/providers';
import { parseCertificates } from '@tollgate/upstreams/connection/parse-certificates';
import { readProxy } from '@tollgate/upstreams/connection/read-proxy';
import { z } from 'zod';
import { UsageFailure } from '../../failure.ts';
import { readSecret } from '../../options/secret-option.ts';

/**
 * The flags of how a provider is reached.
 * @param isNew false: flags that are not given keep their value
 */
export function getConnectionOptions({ isNew }: { isNew: boolean }) {
  const standard = (value: string) => (isNew ? ` (default: ${value})` : '');
  return [
    {
      flags: '--proxy <proxy>',
      about: `forward proxy: its URL (stored encrypted; use - to read stdin), direct, or environment for HTTPS_PROXY and HTTP_PROXY${standard('environment')}`,
    },
    {
      flags: '--ca <file>',
      about: `file with PEM certificates to trust in addition to those of Node${isNew ? '' : '; none removes them'}`,
    },
    { flags: '--http2 <switch>', about: `offer HTTP/2 to the provider: on or off${standard('off')}` },
  ];
}

export const connectionInput = {
  proxy: z.string().min(1).optional(),
  ca: z.string().min(1).optional(),
  http2: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
};

interface TypedConnection {
  proxy?: string | undefined;
  ca?: string | undefined;
  http2?: 'on' | 'off' | undefined;
}

/**
 * Reads the given flags. @returns only the columns that they set
 * @throws UsageFailure if the proxy or the certificates are not valid
 */
export async function readConnection(
  typed: TypedConnection,
): Promise<(sealer: () => Sealer, providerId: string) => Partial<ConnectionColumns>> {
  const proxy = await readSecret('--proxy', typed.proxy);
  const caCertificates = typed.ca === undefined ? undefined : await readCertificates(typed.ca);
  return (sealer, providerId) => {
    const read =
      proxy === undefined
        ? null
        : readProxy(proxy, providerId, (plain, context) => sealer().seal(plain, context));
    if (read !== null && !read.ok) throw new UsageFailure(`--proxy: ${read.reason}`);
    return {
      ...(read !== null && read.columns),
      ...(caCertificates !== undefined && { caCertificates }),
      ...(typed.http2 !== undefined && { http2: typed.http2 === 'on' }),
    };
  };
}

async function readCertificates(file: string): Promise<string | null> {
  if (file === 'none') return null;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageFailure(`--ca: ${error instanceof Error ? error.message : String(error)}`);
  });
  const parsed = parseCertificates(text);
  if (!parsed.ok) throw new UsageFailure(`--ca: ${parsed.reason}`);
  return parsed.pem;
}
