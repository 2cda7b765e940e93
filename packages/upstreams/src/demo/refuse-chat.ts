import type { JsonObject } from '@tollgate/dialects/json/parse-object';

/** Members of chat completions that the demo model would have to ignore, with the values that ask for nothing. */
const UNSUPPORTED = [
  { param: 'n', harmless: [1], because: 'The demo model gives one choice.' },
  { param: 'logprobs', harmless: [false], because: 'The demo model has no log probabilities.' },
  { param: 'top_logprobs', harmless: [0], because: 'The demo model has no log probabilities.' },
] as const;

/** The body of a 400 for a request that asks for more than the demo model does; null: it answers. */
export function refuseChat(body: JsonObject): string | null {
  const found = UNSUPPORTED.find(({ param, harmless }) => {
    const value = body[param] ?? null;
    return value !== null && !harmless.some((each) => each === value);
  });
  if (found === undefined) return null;
  const { param, because } = found;
  const message = `${param} is not supported: ${because}`;
  return JSON.stringify({
    error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' },
  });
}
