const OUTCOMES: Record<string, string> = {
  answered: 'answered',
  timeout: 'no answer in time',
  dns: 'no such host',
  connect: 'no connection',
  tls: 'no secure connection',
  protocol: 'not HTTP as agreed',
  cut: 'broke off',
  unreadable: 'unreadable answer',
  misconfigured: "refused the gateway's account",
  client_gone: 'the caller left',
};

/** How a try at a provider ended, in words: `status_503` → `refused with 503`. */
export function describeOutcome(outcome: string): string {
  const status = /^status_(\d{3})$/.exec(outcome)?.[1];
  if (status !== undefined) return `refused with ${status}`;
  return OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ');
}
