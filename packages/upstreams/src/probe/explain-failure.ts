import type { UpstreamFailure } from '../transport/transport.ts';
import { findSilence } from '../transport/undici/connection-failure.ts';
import type { ProbeDenial } from './explain.ts';
import { PROBE_TIMEOUT_MS } from './outcome.ts';

/** Explains why a provider could not be reached, or which forward proxy is the reason. */
export function explainFailure(url: string, failure: UpstreamFailure): ProbeDenial {
  const message =
    failure.proxy === undefined
      ? `${url} cannot be reached: ${getWords(failure)}`
      : explainProxy(failure.proxy, failure);
  return { code: 'provider_unreachable', message };
}

/** @param proxy without its credential */
function explainProxy(proxy: string, failure: UpstreamFailure): string {
  const name = `The forward proxy ${proxy}`;
  const silence = findSilence(failure);
  if (silence !== null)
    return `${name} did not answer (${silence}). Check its address, and that this host may connect to it.`;
  // The status of a proxy that responds to CONNECT, or forwards the request.
  const status = /^the proxy answered (\d+)$/.exec(failure.detail)?.[1];
  if (status === '407') {
    const problem = hasCredential(proxy)
      ? 'rejected the user name or password. Correct them'
      : 'requires a user name and password. Add them';
    return `${name} ${problem} in the provider's proxy URL, or in HTTPS_PROXY and HTTP_PROXY.`;
  }
  if (status !== undefined)
    return `${name} answered ${status} instead of a connection to the provider. Check that it may reach the provider.`;
  const detail = failure.detail.replace('the proxy cannot be used: ', '');
  return `${name} cannot be reached: ${getWords({ ...failure, detail })}`;
}

function hasCredential(proxy: string): boolean {
  const { username, password } = new URL(proxy);
  return username !== '' || password !== '';
}

function getWords({ kind, detail }: UpstreamFailure): string {
  if (detail.includes('ENOTFOUND')) return 'its name is not known to DNS';
  if (UNTRUSTED.test(detail)) return explainUntrusted(detail);
  switch (kind) {
    case 'dns':
      return 'its name is not known to DNS';
    case 'connect':
      return detail.includes('ECONNREFUSED')
        ? 'nothing listens at this address'
        : `the connection failed (${detail})`;
    case 'tls':
      return `its TLS certificate is not accepted, or it speaks no TLS (${detail})`;
    case 'timeout':
      return `no answer within ${PROBE_TIMEOUT_MS / 1000} s`;
    case 'stale':
    case 'cut':
    case 'busy':
      return `the connection broke (${detail})`;
    case 'protocol':
      return `what it answers is not HTTP (${detail})`;
  }
}

/** Errors of certificates that another trusted authority would fix: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED =
  /UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED/;

function explainUntrusted(detail: string): string {
  // Node appends advice about its own options, which are not how a provider gets a certificate.
  const reason = detail.replace(/; if the root CA.*$/s, '');
  return `its TLS certificate is not accepted (${reason}). Add the certificate of its issuer to the CA certificates of the provider (--ca)`;
}
