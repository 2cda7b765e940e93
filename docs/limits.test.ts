import { expect, it } from 'vitest';
import { BODY_LIMITS } from '../packages/core/src/body-limits.ts';
import { constantIn, read, tableAfter } from './read-docs.fixture.ts';

const BODY = 'packages/core/src/body-limits.ts';
const TRANSPORT = 'packages/upstreams/src/transport/transport.ts';
const RETRY = 'packages/upstreams/src/routing/retry-policy.ts';
const BREAKER = 'packages/upstreams/src/routing/circuit-breaker.ts';
const NODE = 'api/src/runtime/node.ts';
const WORK = 'packages/ledger/src/waiting-work.ts';
const COMMIT = 'packages/ledger/src/group-commit.ts';
const THROTTLE = 'console/server/auth/throttle.ts';
const BODIES = 'api/src/bodies/body-queue.ts';

/** A constant in bytes, milliseconds or a number of things; with a factor if it has another unit. */
type Source = readonly [file: string, name: string, factor?: number];
/** One number of the document: all of its constants have this value. */
type Stated = readonly Source[];

/** The constants that each row of the table states, in its order. */
const SOURCES: Record<string, readonly Stated[]> = {
  'request body': [[[BODY, 'maxBytes']]],
  'levels of objects and lists in a body, itself included': [[[BODY, 'maxDepth']]],
  'values in a body; members of all its objects': [[[BODY, 'maxValues']], [[BODY, 'maxMembers']]],
  'values outside of the messages of a body that is parsed in a thread': [[[BODY, 'maxMemberValues']]],
  'a body whose tokens are counted; larger ones are estimated': [[[BODY, 'maxCountedBytes']]],
  'a body that is parsed on the event loop; larger ones in a thread': [[[BODY, 'maxOnLoopBytes']]],
  'request headers': [[[NODE, 'maxHeaderSize']]],
  'time to send the headers, the whole request': [[[NODE, 'headersTimeout']], [[NODE, 'requestTimeout']]],
  'a caller that takes no byte of its answer': [[['api/src/runtime/write-stall.ts', 'WRITE_STALL_MS']]],
  'a provider: connect, first byte, silence, the whole answer': [
    [[TRANSPORT, 'connectMs']],
    [[TRANSPORT, 'firstByteMs']],
    [[TRANSPORT, 'idleMs']],
    [[TRANSPORT, 'totalMs']],
  ],
  'an answer that is no stream; one event of a stream': [
    [['api/src/pipeline/gathered-answer.ts', 'MAX_ANSWER_BYTES']],
    [['packages/dialects/src/sse/oversize-event.ts', 'MAX_EVENT_BYTES']],
  ],
  'a response that is read on the event loop; larger ones in a thread': [
    [['api/src/pipeline/relay-whole.ts', 'MAX_ON_LOOP_BYTES']],
  ],
  'tries of one request, over all routes of its model': [[[RETRY, 'attempts']]],
  'a wait between two tries at one route': [[[RETRY, 'maxRetryAfterMs']]],
  'failures in a row that take a route out of use; for how long': [
    [[BREAKER, 'failures']],
    [[BREAKER, 'openMs']],
  ],
  // At the third tick at the latest.
  'silence in a translated stream before a ping': [[['api/src/deps.ts', 'TICK_MS', 3]]],
  'keys kept in the memory of an api process': [[['api/src/keys/key-cache.ts', 'MAX_ENTRIES']]],
  'settlements in the spool while the database is away': [
    [['packages/ledger/src/ledger.ts', 'DEFAULT_MAX_SPOOL_BYTES']],
  ],
  'a batch of the ledger; the time it may take': [
    [[WORK, 'MAX_BATCH']],
    [[WORK, 'MAX_BATCH']],
    [['db/src/patient-connection.ts', 'STATEMENT_LIMIT_MS']],
  ],
  'records of requests without a hold in it, where holds come': [[[WORK, 'MAX_BATCH_BESIDE_HOLDS']]],
  'holds, and settlements in memory, that wait': [
    [[COMMIT, 'MAX_WAITING_HOLDS']],
    [[COMMIT, 'MAX_WAITING_SETTLEMENTS']],
  ],
  'the time after which a silent api process counts as dead': [
    [['packages/ledger/src/loss-watch.ts', 'DEAD_AFTER_MS']],
  ],
  'what is kept of a body, where an account keeps them': [
    [['packages/core/src/kept-bodies.ts', 'KEPT_BODY_BYTES']],
  ],
  'bodies that wait to be stored': [[[BODIES, 'MAX_BYTES']], [[BODIES, 'MAX_WAITING']]],
};

const rows = tableAfter(read('docs/operations.md'), '\n## Limits');

it('lists the limits that have a source here, and no others', () => {
  expect(rows.map(([what]) => what)).toEqual(Object.keys(SOURCES));
});

it('lists every limit of request bodies, each once', () => {
  const listed = Object.values(SOURCES).flat(2);
  const names = listed.filter(([file]) => file === BODY).map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(BODY_LIMITS).toSorted());
});

/** Sentences with numbers, and where each number comes from. */
const SENTENCES: readonly (readonly [string, readonly Stated[]])[] = [
  [
    '16 KiB/s or more after\n  its first 10 s',
    [
      [['api/src/request-body/read-limits.ts', 'minBytesPerSecond']],
      [['api/src/request-body/read-limits.ts', 'graceMs']],
    ],
  ],
  [
    '256 responses at a time in each process, 64 of one account',
    [[['api/src/pipeline/drains.ts', 'MAX_DRAINS']], [['api/src/pipeline/drains.ts', 'MAX_ACCOUNT_DRAINS']]],
  ],
  [
    '0.5 s at first and then twice as long each time, up to 15 s',
    [
      [['packages/cli/src/start/keep-running.ts', 'firstDelayMs']],
      [['packages/cli/src/start/keep-running.ts', 'maxDelayMs']],
    ],
  ],
  [
    '(10 passwords, 5 codes per 15 minutes)',
    [
      [[THROTTLE, 'signInByEmailAndDevice.limit']],
      [[THROTTLE, 'secondFactorByUserAndDevice.limit']],
      [
        [THROTTLE, 'signInByEmailAndDevice.windowMs'],
        [THROTTLE, 'secondFactorByUserAndDevice.windowMs'],
      ],
    ],
  ],
  [
    'share 50 passwords and 20 codes per hour',
    [
      [[THROTTLE, 'signInByEmailElsewhere.limit']],
      [[THROTTLE, 'secondFactorByUserElsewhere.limit']],
      [
        [THROTTLE, 'signInByEmailElsewhere.windowMs'],
        [THROTTLE, 'secondFactorByUserElsewhere.windowMs'],
      ],
    ],
  ],
  [
    'end after 30 days without use, and 90 days after sign-in',
    [
      [['console/server/auth/lucia.ts', 'LIFE_DAYS', 86_400_000]],
      [['console/server/auth/lucia.ts', 'MAX_SESSION_LIFE_MS']],
    ],
  ],
  ['of streams every 2 s', [[['api/src/pipeline/settlement.ts', 'CHECKPOINT_EVERY_MS']]]],
  ['(up to 8,192 UTF-16 units)', [[['packages/core/src/rates/raw-usage.ts', 'MAX_RAW_USAGE_LENGTH']]]],
  [
    'of one request the first 20 unknown members, of each provider 500, at most 50 of which one account sent first',
    [
      [['api/src/contracts/unknown-tally.ts', 'MAX_PER_REQUEST']],
      [['db/src/queries/contracts/unknown-members.ts', 'MAX_MEMBERS_PER_PROVIDER']],
      [
        ['db/src/queries/contracts/unknown-members.ts', 'MAX_MEMBERS_PER_ACCOUNT'],
        ['api/src/contracts/unknown-tally.ts', 'MAX_ENTRIES_PER_ACCOUNT'],
      ],
    ],
  ],
];

/** What a text states, and where each of its numbers comes from. */
const CLAIMS = [
  ...rows.map(([what = '', limit = '']) => [limit, SOURCES[what] ?? []] as const),
  ...SENTENCES,
];

it.each(SENTENCES)('the document says "%s"', (sentence) => {
  expect(read('docs/operations.md').replaceAll(/\s+/g, ' ')).toContain(sentence.replaceAll(/\s+/g, ' '));
});

it.each(CLAIMS)('%s: as in the source, every number with its unit', (text, numbers) => {
  expect(numbersIn(text)).toEqual(valuesOf(numbers));
});

it.each(CLAIMS)('%s: notices any change of a constant or of the text', (text, numbers) => {
  const stated = numbersIn(text);
  for (const changed of numbers.flat())
    expect(valuesOf(numbers, (source) => valueOf(source) + (source === changed ? 1 : 0))).not.toEqual(stated);
  for (const { index } of text.matchAll(NUMBER))
    expect(numbersIn(`${text.slice(0, index)}7${text.slice(index)}`)).not.toEqual(valuesOf(numbers));
  expect(numbersIn(`${text}, 9 times`)).not.toEqual(valuesOf(numbers));
  for (const { 2: unit = '', index, 0: whole } of text.matchAll(NUMBER)) {
    if (unit === '') continue;
    const other = unit === 'days' ? 's' : 'days';
    const end = index + whole.length;
    expect(numbersIn(text.slice(0, end - unit.length) + other + text.slice(end))).not.toEqual(stated);
  }
});

const UNITS: Record<string, number> = {
  KiB: 1024,
  MiB: 1024 * 1024,
  s: 1000,
  minutes: 60_000,
  hour: 3_600_000,
  days: 86_400_000,
};
/** Not the number of a name: UTF-16. */
const NUMBER = /(?<![\w.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(?: (KiB|MiB|s|minutes|hour|days)\b)?/g;

/** Every number of a text, in bytes and milliseconds. */
function numbersIn(text: string): number[] {
  const spelled = text.replaceAll('per hour', 'per 1 hour');
  return [...spelled.matchAll(NUMBER)].map(
    ([, digits = '', unit = '']) => Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1),
  );
}

function valueOf([file, name, factor = 1]: Source): number {
  return constantIn(file, name) * factor;
}

/** The value of each number; all of its values if its constants differ. */
function valuesOf(numbers: readonly Stated[], read = valueOf): (number | number[])[] {
  return numbers.map((sources) => {
    const values = [...new Set(sources.map(read))];
    const [value = Number.NaN] = values;
    return values.length > 1 ? values : value;
  });
}
