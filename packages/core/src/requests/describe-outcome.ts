const OUTCOMES: Record<string, string> = {
  answered: 'succeeded',
  continued: 'continued the response',
  timeout: 'timeout',
  dns: 'host not found',
  connect: 'connection failed',
  tls: 'TLS error',
  protocol: 'protocol error',
  cut: 'disconnected',
  unreadable: 'invalid response',
  too_large: 'response too large',
  no_memory: 'no memory for the response',
  first_token_timeout: 'no text in time',
  hedged: 'another route was faster',
  stale: 'kept connection was closed',
  context_length: 'input too long for the model',
  content_policy: 'refused by a content policy',
  misconfigured: "rejected the gateway's credentials",
  client_gone: 'client disconnected or cancelled',
};

/** Outcome of an attempt at a provider, as text: `status_503` → `HTTP 503`. */
export function describeOutcome(outcome: string): string {
  const status = /^status_(\d{3})$/.exec(outcome)?.[1];
  if (status !== undefined) return `HTTP ${status}`;
  return OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ');
}
