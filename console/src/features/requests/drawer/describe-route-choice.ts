import { formatUsd } from '@tollgate/core/money/money';
import { SESSION_SOURCES, type SessionSource } from '@tollgate/core/requests/route-choice';
import { formatDuration } from '../../../lib/format/duration.ts';

const SESSION_NAMES: Readonly<Record<SessionSource, string>> = {
  prompt_cache_key: 'the same prompt_cache_key',
  'x-session-id': 'the same header x-session-id',
  'x-claude-code-session-id': 'the same session of Claude Code',
  session_id: 'the same header session_id',
  'session-id': 'the same header session-id',
  'x-session-affinity': 'the same header x-session-affinity',
  'metadata.user_id': 'the same metadata.user_id',
  'first messages': 'the same first messages',
};

/** The choices of strategies, with the number that decided. */
const STRATEGY_TEXTS: Readonly<Record<string, (number: number) => string>> = {
  latency: (ms) => `The first route had the lowest latency: ${formatDuration(ms)} expected for a response.`,
  'latency session': (ms) =>
    `The first route has the session in its prompt cache, and is not much slower than the fastest one: ${formatDuration(ms)} expected for a response.`,
  price: (nanoUsd) =>
    `The first route had the lowest price: $${formatUsd(BigInt(nanoUsd))} expected at its provider.`,
  usage: (share) => `The first route had the most left of its provider's rate limits: ${share}%.`,
  'usage session': (share) =>
    `The first route has the session in its prompt cache, and enough left of its provider's rate limits: ${share}%.`,
};

/** Explains why the first route was tried first. */
export function describeRouteChoice(choice: string): string {
  if (choice === 'priority')
    return 'The first route was the only one of its priority without a further translation.';
  if (choice === 'weight') return 'The first route was drawn by weight: the request belongs to no session.';
  if (choice === 'latency probe') return 'The first route was tried first to measure its latency.';
  const source = SESSION_SOURCES.find((name) => choice === `session ${name}`);
  if (source !== undefined)
    return `The first route is that of all requests with ${SESSION_NAMES[source]}, for the prompt cache of its provider.`;
  const [, name = '', number = ''] = /^(.+) (\d{1,15})$/.exec(choice) ?? [];
  return STRATEGY_TEXTS[name]?.(Number(number)) ?? `The first route was chosen by: ${choice}.`;
}
