import { SESSION_SOURCES, type SessionSource } from '@tollgate/core/requests/route-choice';

const SESSION_NAMES: Readonly<Record<SessionSource, string>> = {
  prompt_cache_key: 'the same prompt_cache_key',
  'x-session-id': 'the same header x-session-id',
  'x-claude-code-session-id': 'the same session of Claude Code',
  session_id: 'the same header session_id',
  'metadata.user_id': 'the same metadata.user_id',
  'first messages': 'the same first messages',
};

/** Explains why the first route was tried first. */
export function describeRouteChoice(choice: string): string {
  if (choice === 'priority')
    return 'The first route was the only one of its priority without a further translation.';
  if (choice === 'weight') return 'The first route was drawn by weight: the request belongs to no session.';
  const source = SESSION_SOURCES.find((name) => choice === `session ${name}`);
  return source === undefined
    ? `The first route was chosen by: ${choice}.`
    : `The first route is that of all requests with ${SESSION_NAMES[source]}, for the prompt cache of its provider.`;
}
