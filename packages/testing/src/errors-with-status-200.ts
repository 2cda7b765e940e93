import type { FakeDialect, Script } from './fake-provider/script.ts';
import type { ProviderFault } from './provider-fault.ts';

const ERROR = { message: 'The model crashed.', type: 'server_error' };
const refused = { statuses: [502], code: 'upstream_error' };
const overloaded = { statuses: [503, 529], code: 'upstream_overloaded' };

/** Error bodies that providers send with status 200 instead of a whole response. */
const WHOLE: readonly [name: string, body: (dialect: FakeDialect) => object][] = [
  ['an error', () => ({ error: ERROR })],
  ['an error as a string', () => ({ error: 'The model crashed.' })],
  ['an error of Anthropic', () => ({ type: 'error', error: { type: 'api_error', message: 'It crashed.' } })],
  ['a detail', () => ({ detail: 'It crashed.' })],
  ['a message and a code', () => ({ message: 'It crashed.', code: 1234 })],
  [
    'no content and an error',
    (dialect) =>
      dialect === 'openai-chat'
        ? { object: 'chat.completion', choices: [], error: ERROR, usage: { prompt_tokens: 5 } }
        : { type: 'message', content: [], error: ERROR, usage: { input_tokens: 5 } },
  ],
  ['nothing that is an answer', () => ({ id: 'x', usage: { prompt_tokens: 5, completion_tokens: 5 } })],
];

/** The events of a stream before its first word. */
function getOpening(dialect: FakeDialect): string {
  return dialect === 'openai-chat'
    ? sse({ id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
    : sse({
        type: 'message_start',
        message: { id: 'x', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5 } },
      });
}

/** Streams with status 200 that fail before their first word. */
const STREAMS: readonly [name: string, body: (dialect: FakeDialect) => string][] = [
  ['an error', () => sse({ error: ERROR })],
  [
    'an error event',
    () => `event: error\n${sse({ type: 'error', error: { type: 'api_error', message: 'No.' } })}`,
  ],
  ['a comment, then an error', () => `: PROCESSING\n\n${sse({ type: 'error', error: ERROR })}`],
  ['its opening, then an error', (dialect) => getOpening(dialect) + sse({ type: 'error', error: ERROR })],
  ['a detail and its end', () => `${sse({ detail: 'It crashed.' })}data: [DONE]\n\n`],
  ['a message and a code', () => `${sse({ message: 'It crashed.', code: 1234 })}data: [DONE]\n\n`],
];

const sse = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const json = (body: object): Script => ({
  replay: { body: JSON.stringify(body), contentType: 'application/json' },
});
const events = (body: string): Script => ({ replay: { body, contentType: 'text/event-stream' } });

/** Failures with a success status. */
export const ERRORS_WITH_STATUS_200: readonly ProviderFault[] = [
  ...WHOLE.map(([name, body]): ProviderFault => ({
    name: `answers 200 with ${name}`,
    provoke: (dialect) => json(body(dialect)),
    stream: 'before',
    whole: 'before',
    ...refused,
  })),
  {
    name: 'answers 200 with an error that names its status',
    provoke: () => json({ error: { message: 'Too busy.', code: 529 } }),
    stream: null,
    whole: 'before',
    ...overloaded,
  },
  ...STREAMS.map(([name, body]): ProviderFault => ({
    name: `begins a stream with ${name}`,
    provoke: (dialect) => events(body(dialect)),
    stream: 'before',
    whole: null,
    ...refused,
  })),
];
