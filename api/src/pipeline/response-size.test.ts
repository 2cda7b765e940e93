import { createInputTraits } from '@tollgate/dialects/input-traits';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { describe, expect, it } from 'vitest';
import { mayBeLarge, type SizedRequest } from './response-size.ts';

const request: RelayRequest = {
  ...createInputTraits(),
  model: 'm',
  stream: false,
  wantsStreamUsage: true,
  forwardChanges: {},
  maxOutputTokens: 400,
  choices: 1,
};
const sized: SizedRequest = {
  spec: { isMetered: true, hasStreams: true },
  request,
  members: {},
  bodyBytes: 1_000,
  modelMaxOutputTokens: null,
};

describe('a whole response', () => {
  it.each<[string, Partial<SizedRequest>]>([
    ['repeats a request of 60 KB', { bodyBytes: 60_000 }],
    ['has a maximum of 4,000 tokens', { request: { ...request, maxOutputTokens: 4_000 } }],
    ['has ten answers', { request: { ...request, choices: 10 } }],
    ['has no maximum', { request: { ...request, maxOutputTokens: null } }],
    ['has log probabilities', { members: { logprobs: true } }],
  ])('may be large if it %s', (_name, differs) => {
    expect(mayBeLarge(sized)).toBe(false);
    expect(mayBeLarge({ ...sized, ...differs })).toBe(true);
  });
});
