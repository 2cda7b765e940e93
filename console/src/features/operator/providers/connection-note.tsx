import type { OperatorProvider } from '../operator-types.ts';

/** How a provider is reached, or nothing if an operator set nothing. */
export function ConnectionNote({ provider }: { provider: OperatorProvider }) {
  const { proxy, caCertificates, http2 } = provider;
  const parts = [
    ...(proxy === null ? [] : [proxy === 'direct' ? 'No proxy' : `Proxy ${proxy}`]),
    ...(caCertificates === null ? [] : ['CA certificates']),
    ...(http2 ? ['HTTP/2'] : []),
  ];
  if (parts.length === 0) return null;
  return <div className="text-[12.5px] wrap-anywhere whitespace-normal text-ink-2">{parts.join(' · ')}</div>;
}
