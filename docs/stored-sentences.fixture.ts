import type { Stated } from './numbers.fixture.ts';

const RETENTION = 'packages/core/src/requests/retention.ts';
const STORED = 'packages/core/src/requests/stored-responses.ts';
const RUNS = 'api/src/background/background-runs.ts';
const DAY_MS = 86_400_000;

/** Sentences of docs/operations.md about stored data, with the constants of their numbers. */
export const STORED_SENTENCES: readonly (readonly [string, readonly Stated[]])[] = [
  ['for 1 to 30 days.', [[[RETENTION, /z\.int\(range\)\.min\((\d+)/]], [[RETENTION, 'bodies', DAY_MS]]]],
  [
    'kept for 1 to 90 days',
    [[[RETENTION, /z\.int\(range\)\.min\((\d+)/]], [[RETENTION, 'responses', DAY_MS]]],
  ],
  ['does not respond within 5 seconds', [[['api/src/stored/response-store.ts', 'STORE_MS']]]],
  [
    'at most 256 responses in the background, 32 of one account',
    [[[RUNS, 'MAX_RUNS']], [[RUNS, 'MAX_ACCOUNT_RUNS']]],
  ],
  ['tries for 15 seconds to store the end of a response', [[[RUNS, 'END_MS']]]],
  ['adds up to 20 items without a response', [[[STORED, 'maxItemsAtOnce']]]],
  ['free again after 20 seconds', [[['api/src/conversations/conversation-store.ts', 'SILENT_FOR_MS']]]],
  ['Items can be added 10,000 times', [[[STORED, 'maxParts']]]],
  ['the account has 50,000 stored responses and conversations', [[[STORED, 'maxResponses']]]],
];
