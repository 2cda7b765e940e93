import type { Script } from '@tollgate/testing/fake-provider/script';
import {
  CALLED_ONCE,
  endsWithin,
  HAS_USAGE,
  hasCalls,
  hasRetried,
  IS_ALIVE,
  IS_COMPLETE,
  isNoHammer,
  NAMES_FALLBACK,
  NO_HANG,
  NO_TRUNCATED_RESPONSE,
  RECOVERED,
  SERVED_IN_OUTAGE,
  SHOWS_OWN_ERROR,
  waitsAsRequested,
} from './checks.ts';
import type { Profile } from './profile.ts';
import type { Scenario } from './scenario.ts';
import { CUT, GOOD, refuse, STALL_AFTER_PIECES, withMalformedEvent, withoutDone } from './scripts.ts';

const OVERLOADED: Script = { error: { status: 503 } };
const good = ({ tokenMs }: Profile): Script => ({ ...GOOD, intervalMs: tokenMs });

/**
 * The provider faults of the public suite failoverbench (https://github.com/failoverbench/failoverbench), with its checks.
 * Each primary provider has one fallback.
 */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'S01',
    title: '429 with retry-after',
    getFault: (profile) => ({
      first: { error: { status: 429, retryAfterSeconds: profile.retryAfterSeconds } },
      always: good(profile),
    }),
    ideal: 'response',
    checks: [hasRetried(), waitsAsRequested(), isNoHammer(2, 0.75)],
  },
  {
    id: 'S02',
    title: '429 without retry-after, persistent',
    getFault: () => ({ always: { error: { status: 429 } } }),
    ideal: 'response',
    checks: [isNoHammer(4, 1.5), hasCalls({ most: 6 }), NO_HANG],
  },
  {
    id: 'S03',
    title: '500 once',
    getFault: (profile) => ({ first: { error: { status: 500 } }, always: good(profile) }),
    ideal: 'response',
    checks: [NO_HANG, hasRetried()],
  },
  {
    id: 'S04',
    title: '503, persistent',
    getFault: () => ({ always: OVERLOADED }),
    ideal: 'response',
    checks: [hasCalls({ most: 6 }), NO_HANG],
  },
  {
    id: 'S05',
    title: 'reset before the headers',
    getFault: (profile) => ({ first: { cutBeforeHeaders: true, cutBy: 'reset' }, always: good(profile) }),
    ideal: 'response',
    checks: [NO_HANG],
  },
  {
    id: 'S06',
    title: 'no response at all',
    getFault: ({ silenceMs }) => ({ always: { stallBeforeHeaders: true, stallMs: silenceMs } }),
    ideal: 'response',
    checks: [endsWithin('silence'), NO_HANG, CALLED_ONCE],
  },
  {
    id: 'S07',
    title: 'slow first token',
    getFault: (profile) => ({ always: { ...good(profile), firstByteDelayMs: profile.slowFirstTokenMs } }),
    ideal: 'response',
    checks: [NO_HANG, endsWithin('firstToken', true)],
  },
  {
    id: 'S08',
    title: 'stream cut midway',
    getFault: (profile) => ({ always: { ...good(profile), ...CUT } }),
    ideal: 'response',
    checks: [NO_TRUNCATED_RESPONSE, NO_HANG],
  },
  {
    id: 'S09',
    title: 'stream stalls',
    getFault: (profile) => ({
      always: { ...good(profile), stallAfterPieces: STALL_AFTER_PIECES, stallMs: profile.stallMs },
    }),
    ideal: 'response',
    checks: [endsWithin('stall'), NO_TRUNCATED_RESPONSE, IS_ALIVE, NO_HANG],
  },
  {
    id: 'S10',
    title: 'malformed event in the stream',
    getFault: ({ tokenMs }) => ({ always: withMalformedEvent(tokenMs) }),
    ideal: 'response',
    checks: [IS_ALIVE, NO_TRUNCATED_RESPONSE, NO_HANG, IS_COMPLETE],
  },
  {
    id: 'S11',
    title: 'no [DONE]',
    getFault: ({ tokenMs }) => ({ always: withoutDone(tokenMs) }),
    ideal: 'response',
    checks: [endsWithin('prompt'), HAS_USAGE],
  },
  {
    id: 'S12',
    title: 'context length exceeded',
    getFault: () => ({
      always: refuse(
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9631 tokens.",
      ),
    }),
    ideal: 'response',
    hasLargerContext: true,
    checks: [hasCalls({ least: 1, most: 1 }), NO_HANG],
  },
  {
    id: 'S13',
    title: 'content filter',
    getFault: () => ({
      always: refuse(
        'content_policy_violation',
        'Your request was rejected as a result of our safety system.',
      ),
    }),
    ideal: 'error',
    checks: [hasCalls({ least: 1, most: 1 }), NO_HANG],
  },
  {
    id: 'S14',
    title: 'stream cut, fallback refuses prefill',
    getFault: (profile) => ({ always: { ...good(profile), ...CUT } }),
    ideal: 'response',
    refusesPrefill: true,
    checks: [SHOWS_OWN_ERROR, NO_TRUNCATED_RESPONSE],
  },
  {
    id: 'S15',
    title: 'down, then healthy',
    getFault: (profile, isDown) => ({ always: () => (isDown() ? OVERLOADED : good(profile)) }),
    ideal: 'response',
    isSequence: true,
    checks: [NO_HANG, SERVED_IN_OUTAGE, RECOVERED],
  },
  {
    id: 'S16',
    title: 'model and usage after a failover',
    getFault: () => ({ always: OVERLOADED }),
    ideal: 'response',
    checks: [NAMES_FALLBACK, HAS_USAGE, hasCalls({ most: 6 })],
  },
];
