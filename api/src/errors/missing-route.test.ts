import { expect, it } from 'vitest';
import { describeMissingRoute } from './missing-route.ts';

it.each([
  ['POST', '/chat/completions', 'the endpoint is /v1/chat/completions.'],
  ['POST', '/api/v1/messages', 'the endpoint is /v1/messages.'],
  ['GET', '/openai/models', 'the endpoint is /v1/models.'],
  // The base is right.
  ['GET', '/v1/chat/completions', 'See /docs for all endpoints.'],
  ['POST', '/v1/chat/completion', 'See /docs for all endpoints.'],
  ['GET', `/${'x'.repeat(5_000)}`, 'See /docs for all endpoints.'],
])('%s %s is answered with a hint at the base URL only if it is wrong', (method, path, hint) => {
  const message = describeMissingRoute(method, path);
  expect(message).toContain(`The endpoint ${method} ${path.slice(0, 200)} does not exist.`);
  expect(message.endsWith(hint)).toBe(true);
  expect(message.length).toBeLessThan(400);
});
