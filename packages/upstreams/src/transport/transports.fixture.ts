import { createHttp1Transport } from './http1/http1-transport.ts';
import type { UpstreamTimeouts, UpstreamTransport } from './transport.ts';
import { createUndiciTransport } from './undici/undici-transport.ts';

interface CommonOptions {
  timeouts?: UpstreamTimeouts;
  /** PEM of the certificate to trust. */
  ca?: string;
}

/** The two clients of Node, which must behave the same. */
export const NODE_TRANSPORTS: readonly [
  name: 'http1' | 'undici',
  create: (options?: CommonOptions) => UpstreamTransport,
][] = [
  [
    'http1',
    ({ ca, ...rest } = {}) => createHttp1Transport({ ...rest, ...(ca !== undefined && { ca: [ca] }) }),
  ],
  ['undici', (options = {}) => createUndiciTransport(options)],
];
