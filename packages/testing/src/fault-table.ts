import { ERRORS_WITH_STATUS_200 } from './errors-with-status-200.ts';
import { encodeAnthropicBody } from './fake-provider/encode-anthropic.ts';
import { encodeOpenaiBody } from './fake-provider/encode-openai.ts';
import type { FakeDialect, Script } from './fake-provider/script.ts';
import type { ProviderFault } from './provider-fault.ts';
import { loadFixtures } from './recordings.ts';

const MIB = 1024 * 1024;
const LONG = { words: 60 };
/** After the first words of a long response, and before its end. */
const MIDWAY = 4_000;
const HTML = '<html><body><h1>Bad gateway</h1></body></html>';

const broken = { statuses: [502], code: 'upstream_error' };
const slow = { statuses: [504], code: 'upstream_timeout' };
const misconfigured = { statuses: [502], code: 'upstream_misconfigured' };
const own = (...statuses: number[]) => ({ statuses, code: null });
const always = { stream: 'before', whole: 'before' } as const;
const script = (is: Script) => () => is;

/** Replays a response of the project's fixtures for any request. */
function getReplay(dialect: FakeDialect, covers: string, isStream: boolean): Script {
  const found = loadFixtures().cases.find(
    (each) => each.dialect === dialect && each.isStream === isStream && each.covers.includes(covers),
  );
  if (found === undefined) throw new Error(`No fixture of ${dialect} covers ${covers}`);
  const contentType = isStream ? 'text/event-stream' : 'application/json';
  return { replay: { body: found.responseBody, contentType } };
}

const largeAnswers = new Map<FakeDialect, Script>();

/** Memory for responses with which a gateway does not accept a response of 11 MiB. */
export const SMALL_RESPONSE_MEMORY_BYTES = 16 * MIB;

/** Cached, because encoding processes every word. */
function largeAnswer(dialect: FakeDialect): Script {
  const known = largeAnswers.get(dialect);
  if (known !== undefined) return known;
  const said = { id: 'large', model: 'large', words: ['x'.repeat(11 * MIB)], toolCall: null, usage: null };
  const chunks = dialect === 'openai-chat' ? encodeOpenaiBody(said) : encodeAnthropicBody(said);
  const made: Script = { replay: { body: Buffer.concat(chunks.map(({ bytes }) => bytes)) } };
  largeAnswers.set(dialect, made);
  return made;
}

/** All provider failures that the gateway must handle. */
export const PROVIDER_FAULTS: readonly ProviderFault[] = [
  { name: 'closes before its headers', provoke: script({ cutBeforeHeaders: true }), ...always, ...broken },
  {
    name: 'resets before its headers',
    provoke: script({ cutBeforeHeaders: true, cutBy: 'reset' }),
    ...always,
    ...broken,
  },
  { name: 'closes after its headers', provoke: script({ cutAfterBytes: 0 }), ...always, ...broken },
  { name: 'closes after ten bytes', provoke: script({ cutAfterBytes: 10 }), ...always, ...broken },
  {
    name: 'ends after ten bytes',
    provoke: script({ cutAfterBytes: 10, cutBy: 'clean-end' }),
    ...always,
    ...broken,
  },
  {
    name: 'ends without a byte',
    provoke: script({ cutAfterBytes: 0, cutBy: 'clean-end' }),
    ...always,
    ...broken,
  },
  {
    name: 'closes midway',
    provoke: script({ answer: LONG, cutAfterBytes: MIDWAY }),
    stream: 'midway',
    whole: null,
    ...broken,
  },
  {
    name: 'resets midway',
    provoke: script({ answer: LONG, cutAfterBytes: MIDWAY, cutBy: 'reset' }),
    stream: 'midway',
    whole: null,
    ...broken,
  },
  {
    name: 'ends cleanly midway',
    provoke: script({ answer: LONG, cutAfterBytes: MIDWAY, cutBy: 'clean-end' }),
    stream: 'midway',
    whole: null,
    ...broken,
  },
  { name: 'says nothing', provoke: script({ stallBeforeHeaders: true }), ...always, ...slow },
  { name: 'stalls after its headers', provoke: script({ stallAfterBytes: 0 }), ...always, ...slow },
  { name: 'stalls after ten bytes', provoke: script({ stallAfterBytes: 10 }), ...always, ...slow },
  {
    name: 'stalls midway',
    provoke: script({ answer: LONG, stallAfterBytes: MIDWAY }),
    stream: 'midway',
    whole: null,
    ...slow,
  },
  {
    name: 'trickles',
    provoke: script({ split: 60, intervalMs: 2 }),
    stream: 'never',
    whole: 'never',
    ...own(200),
  },
  { name: 'sends garbage', provoke: script({ garbage: 500 }), ...always, ...broken },
  {
    name: 'sends garbage midway',
    provoke: script({ answer: LONG, garbageAfterBytes: MIDWAY }),
    stream: 'midway',
    whole: null,
    ...broken,
  },
  {
    name: 'sends an event of 17 MiB midway',
    provoke: script({ answer: { text: `So it began: ${'x'.repeat(17 * MIB)}` } }),
    stream: 'midway',
    whole: null,
    // Relayed as it is, it needs too much memory; translated, its text is too long.
    ...own(502),
    isLarge: true,
  },
  {
    name: 'sends a response of 11 MiB, more than the gateway accepts',
    provoke: largeAnswer,
    stream: null,
    // Another provider's response would be as large.
    whole: 'never',
    ...broken,
    isLarge: true,
  },
  {
    name: 'sends a page of HTML',
    provoke: script({ replay: { body: HTML, contentType: 'text/html' } }),
    ...always,
    ...broken,
  },
  {
    name: 'sends a page of HTML with status 502',
    provoke: script({ replay: { body: HTML, status: 502, contentType: 'text/html' } }),
    ...always,
    ...broken,
  },
  {
    name: 'sends a whole response instead of a stream',
    provoke: (dialect) => getReplay(dialect, 'text', false),
    stream: 'before',
    whole: null,
    ...broken,
  },
  {
    name: 'sends a stream instead of a whole response',
    provoke: (dialect) => getReplay(dialect, 'text', true),
    stream: null,
    whole: 'before',
    ...broken,
  },
  {
    name: 'sends an error event midway',
    provoke: (dialect) => getReplay(dialect, 'mid-stream-error', true),
    stream: 'midway',
    whole: null,
    ...own(200),
  },
  {
    name: 'refuses with 400',
    provoke: script({ error: { status: 400 } }),
    stream: 'never',
    whole: 'never',
    ...own(400),
  },
  {
    name: 'refuses its key with 401',
    provoke: script({ error: { status: 401 } }),
    ...always,
    ...misconfigured,
  },
  {
    name: 'refuses its key with 403',
    provoke: script({ error: { status: 403 } }),
    ...always,
    ...misconfigured,
  },
  {
    name: 'asks to wait',
    provoke: script({ error: { status: 429, retryAfterSeconds: 7 } }),
    ...always,
    ...own(429),
  },
  {
    name: 'asks to wait without retry-after',
    provoke: script({ error: { status: 429 } }),
    ...always,
    ...own(429),
  },
  { name: 'fails with 500', provoke: script({ error: { status: 500 } }), ...always, ...own(500) },
  {
    name: 'is overloaded with 503',
    provoke: script({ error: { status: 503 } }),
    ...always,
    ...own(503, 529),
  },
  {
    name: 'is overloaded with 529',
    provoke: script({ error: { status: 529 } }),
    ...always,
    ...own(503, 529),
  },
  ...ERRORS_WITH_STATUS_200,
  { name: 'shows a self-signed certificate', provoke: 'self-signed', ...always, ...broken },
  { name: 'speaks plain HTTP instead of TLS', provoke: 'plain-http', ...always, ...broken },
  { name: 'has an unknown host name', provoke: 'unknown-name', ...always, ...broken },
  { name: 'does not listen', provoke: 'closed-port', ...always, ...broken },
];
