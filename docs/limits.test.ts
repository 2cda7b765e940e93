import { expect, it } from 'vitest';
import { BODY_LIMITS } from '../packages/core/src/requests/body-limits.ts';
import { getChanges, numbersIn, readNumber, getValues, type Stated } from './numbers.fixture.ts';
import { read, tableAfter } from './read-docs.fixture.ts';
import { SENTENCES } from './sentences.fixture.ts';

const BODY = 'packages/core/src/requests/body-limits.ts';
const TRANSPORT = 'packages/upstreams/src/transport/transport.ts';
const RETRY = 'packages/upstreams/src/routing/retry-policy.ts';
const BREAKER = 'packages/upstreams/src/routing/circuit-breaker.ts';
const NODE = 'api/src/runtime/node.ts';
const SOCKETS = 'api/src/websocket/socket-limits.ts';
const WORK = 'packages/ledger/src/pending-work.ts';
const COMMIT = 'packages/ledger/src/group-commit.ts';
const CONTINUATION = 'api/src/pipeline/continuation/continuation.ts';
const BODIES = 'api/src/bodies/body-queue.ts';

/** The constants of each row of the table, in order. */
const SOURCES: Record<string, readonly Stated[]> = {
  'request body': [[[BODY, 'maxBytes']]],
  'characters of a request body after its translation for a provider': [
    [['api/src/request-body/worker/translate-body.ts', 'MAX_TRANSLATED_CHARACTERS']],
  ],
  'nesting depth of a body, including the body itself': [[[BODY, 'maxDepth']]],
  'values in a body; members of all its objects': [[[BODY, 'maxValues']], [[BODY, 'maxMembers']]],
  'values of a body outside its messages, if it is parsed in a thread': [[[BODY, 'maxMemberValues']]],
  'members of the body itself besides its conversation, if it is parsed in a thread': [
    [[BODY, 'maxBodyMembers']],
  ],
  "characters of all members' names outside its messages, if it is parsed in a thread": [
    [[BODY, 'maxNameCharacters']],
  ],
  'values and names in the arguments of all tool calls, if the body is translated': [
    [[BODY, 'maxArgumentValues']],
  ],
  'unknown members and unknown kinds of tools in a request': [
    [['packages/dialects/src/contract/inspection.ts', 'MAX_UNKNOWN_NAMES']],
  ],
  'characters in the name of an unknown member': [
    [['packages/dialects/src/contract/inspection.ts', 'MAX_UNKNOWN_NAME_LENGTH']],
  ],
  'body whose tokens are counted; in larger bodies they are estimated': [[[BODY, 'maxCountedBytes']]],
  'body that is checked on the event loop; larger ones in a thread': [[[BODY, 'maxOutlinedBytes']]],
  'members, and values, of a body whose outline is parsed on the event loop': [
    [[BODY, 'maxOutlinedMembers']],
    [[BODY, 'maxOutlinedValues']],
  ],
  'outline, or body without one, that is parsed on the event loop; larger ones in a thread': [
    [[BODY, 'maxOnLoopBytes']],
  ],
  'object members of a body that is parsed without an outline, or translated, on the loop': [
    [[BODY, 'maxOnLoopMembers']],
  ],
  'body with item ids that is parsed on the event loop': [[[BODY, 'maxOnLoopBytesWithItems']]],
  'commas in a body that is parsed on the event loop': [[[BODY, 'maxOnLoopValues']]],
  'request headers': [[[NODE, 'maxHeaderSize']]],
  'time to send the headers, the whole request': [[[NODE, 'headersTimeout']], [[NODE, 'requestTimeout']]],
  'requests of one connection that wait for the responses before them': [[[NODE, 'MAX_WAITING']]],
  'caller that reads no byte of its response': [[['api/src/runtime/write-stall.ts', 'WRITE_STALL_MS']]],
  'caller that reads a large response slowly: grace period, rate': [
    [['api/src/runtime/watch-sending.ts', 'graceMs']],
    [['api/src/runtime/watch-sending.ts', 'minBytesPerSecond']],
  ],
  'provider: connect, time to first byte, idle, total': [
    [[TRANSPORT, 'connectMs']],
    [[TRANSPORT, 'firstByteMs']],
    [[TRANSPORT, 'idleMs']],
    [[TRANSPORT, 'totalMs']],
  ],
  'response that is not a stream; one event of a stream': [
    [['api/src/pipeline/large-answers.ts', 'MAX_ANSWER_BYTES']],
    [['packages/dialects/src/sse/oversize-event.ts', 'MAX_EVENT_BYTES']],
  ],
  'event of a stream that is parsed in full; of larger ones, an outline': [
    [['packages/dialects/src/sse/oversize-event.ts', 'LARGE_EVENT_BYTES']],
  ],
  'outline of a large response that is not a stream': [[['api/src/pipeline/answer-outline.ts', 'MAX_BYTES']]],
  'response that is read on the event loop; larger ones in a thread': [
    [['api/src/pipeline/gathered-answer.ts', 'LARGE_ANSWER_BYTES']],
  ],
  'attempts of one request, over all routes of its model': [[[RETRY, 'attempts']]],
  'wait between two attempts at one route': [[[RETRY, 'maxRetryAfterMs']]],
  'consecutive failures that open a circuit breaker; for how long': [
    [[BREAKER, 'failures']],
    [[BREAKER, 'openMs']],
  ],
  // At the third tick at the latest.
  'silence before a ping: until the first content, in a translated stream': [
    [['api/src/timers.ts', 'TICK_MS', 3]],
  ],
  'events of a stream before its first content': [[['api/src/pipeline/relay.ts', 'MAX_OPENING_BYTES']]],
  'continuations of a stream; attempts for them': [
    [[CONTINUATION, 'MAX_CONTINUATIONS']],
    [[CONTINUATION, 'MAX_ATTEMPTS']],
  ],
  'response, body of the request, so that a stream can be continued': [
    [[CONTINUATION, 'MAX_KEPT_BYTES']],
    [['api/src/pipeline/continuation/continued-request.ts', 'MAX_CONTINUED_BODY_BYTES']],
  ],
  'WebSockets of a replica, of an account, of a key': [
    [[SOCKETS, 'maxSockets']],
    [[SOCKETS, 'maxAccountSockets']],
    [[SOCKETS, 'maxKeySockets']],
  ],
  'responses of one WebSocket in progress; that wait; values of `stream_id`': [
    [[SOCKETS, 'maxRunning']],
    [[SOCKETS, 'maxWaiting']],
    [[SOCKETS, 'maxStreams']],
  ],
  'WebSocket: age, time without a response, interval of pings': [
    [[SOCKETS, 'maxAgeMs']],
    [[SOCKETS, 'idleMs']],
    [[SOCKETS, 'pingMs']],
  ],
  'pings and pongs of a client on one WebSocket, in 5 s': [[[SOCKETS, 'maxControlFrames']]],
  'request in the background, without its input': [
    [['api/src/background/launch-background.ts', 'MAX_SETTINGS_BYTES']],
  ],
  'keys in the memory of a replica': [[['api/src/keys/key-cache.ts', 'MAX_ENTRIES']]],
  'settlements in the spool while the database is unavailable': [
    [['packages/ledger/src/ledger.ts', 'DEFAULT_MAX_SPOOL_BYTES']],
  ],
  'holds and settlements in a batch of the ledger; its time limit': [
    [[WORK, 'MAX_BATCH']],
    [[WORK, 'MAX_BATCH']],
    [['db/src/patient-connection.ts', 'STATEMENT_LIMIT_MS']],
  ],
  'settlements without a hold in a batch that also contains holds': [
    [[WORK, 'MIN_BATCH_BESIDE_HOLDS']],
    [[WORK, 'MAX_BATCH_BESIDE_HOLDS']],
  ],
  'pending holds, pending settlements in memory': [
    [[COMMIT, 'MAX_WAITING_HOLDS']],
    [[COMMIT, 'MAX_WAITING_SETTLEMENTS']],
  ],
  'time without a heartbeat after which a replica is stale': [
    [['packages/ledger/src/heartbeat-monitor.ts', 'DEAD_AFTER_MS']],
  ],
  'logged part of a request or response, if request logging is on': [
    [['packages/core/src/requests/kept-bodies.ts', 'KEPT_BODY_BYTES']],
  ],
  'logged payloads that wait to be stored': [[[BODIES, 'MAX_BYTES']], [[BODIES, 'MAX_WAITING']]],
};

const rows = tableAfter(read('docs/operations.md'), '\n## Limits');

it('lists exactly the limits that have a source here', () => {
  expect(rows.map(([what]) => what)).toEqual(Object.keys(SOURCES));
});

it('lists every limit of request bodies once', () => {
  const listed = Object.values(SOURCES).flat(2);
  const names = listed.filter(([file]) => file === BODY).map(([, name]) => String(name));
  expect(names.toSorted()).toEqual(Object.keys(BODY_LIMITS).toSorted());
});

/** A text, and the source of each of its numbers. */
const CLAIMS = [
  ...rows.map(([what = '', limit = '']) => [limit, SOURCES[what] ?? []] as const),
  ...SENTENCES.map(([, sentence, numbers]) => [sentence, numbers] as const),
];

it.each(SENTENCES)('%s says "%s"', (document, sentence) => {
  expect(read(document).replaceAll(/\s+/g, ' ')).toContain(sentence.replaceAll(/\s+/g, ' '));
});

it.each(CLAIMS)('%s: every number and unit matches the source', (text, numbers) => {
  expect(numbersIn(text)).toEqual(getValues(numbers));
});

it.each(CLAIMS)('%s: detects any change of a constant or of the text', (text, numbers) => {
  const stated = numbersIn(text);
  for (const changed of numbers.flat())
    expect(getValues(numbers, (source) => readNumber(source) + (source === changed ? 1 : 0))).not.toEqual(
      stated,
    );
  for (const change of getChanges(text)) expect(numbersIn(change)).not.toEqual(getValues(numbers));
});
