import { always, type Fault } from '../fault.ts';

/** Faults before the provider has responded. */
export const CONNECTING: readonly Fault[] = [
  { name: 'none', provoke: (plan) => plan, expected: always('first') },
  {
    name: 'connection is never established',
    provoke: 'black-hole',
    expected: always('second'),
    isSlow: true,
  },
  { name: 'connection refused', provoke: 'closed-port', expected: always('second') },
  { name: 'unknown host name', provoke: 'unknown-name', expected: always('second') },
  { name: 'reset in the TLS handshake', provoke: 'tls-reset', expected: always('second') },
  { name: 'silence in the TLS handshake', provoke: 'tls-silent', expected: always('second'), isSlow: true },
  { name: 'self-signed certificate', provoke: 'self-signed', expected: always('second') },
  { name: 'plain HTTP in place of TLS', provoke: 'plain-http', expected: always('second') },
  { name: 'no response', provoke: () => null, expected: always('second'), isSlow: true },
  {
    name: 'closed before the status line',
    provoke: (plan) => ({ ...plan, raw: '', end: 'fin' }),
    expected: always('second'),
  },
  {
    name: 'reset before the status line',
    provoke: (plan) => ({ ...plan, raw: '', end: 'reset' }),
    expected: always('second'),
  },
  {
    name: 'kept connection closed before the response',
    // The first request on each connection gets its response.
    provoke: (plan, { index }) => (index === 0 ? plan : { ...plan, raw: '', end: 'fin' }),
    expected: always('first'),
    isWarmed: true,
  },
  {
    name: 'kept connection reset before the response',
    provoke: (plan, { index }) => (index === 0 ? plan : { ...plan, raw: '', end: 'reset' }),
    expected: always('first'),
    isWarmed: true,
  },
  {
    name: 'closed after each response without saying so',
    provoke: (plan) => ({ ...plan, end: 'whole-fin' }),
    expected: always('first'),
    isWarmed: true,
  },
];
