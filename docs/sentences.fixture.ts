import type { Stated } from './numbers.fixture.ts';
import { STORED_SENTENCES } from './stored-sentences.fixture.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BODY = 'packages/core/src/requests/body-limits.ts';
const BODY_MEMORY = 'api/src/request-body/default-body-memory.ts';
const BODY_BUDGET = 'api/src/request-body/body-budget.ts';
const PACE = 'api/src/request-body/read-limits.ts';
const DRAINS = 'api/src/pipeline/drains.ts';
const KEEP_RUNNING = 'packages/cli/src/start/keep-running.ts';
const KEEP_EMBEDDED = 'packages/cli/src/start/keep-embedded.ts';
const THROTTLE = 'console/server/auth/throttle.ts';
const UNPAID = 'console/server/payments/apply-unpaid.ts';
const CLAIM_DRIFT = 'db/src/queries/ledger/claim-drift-alerts.ts';
const SEND_DRIFT = 'console/server/operator/alerts/send-drift-alerts.ts';
const DRIFT_ALERT = ['packages/core/src/money/cost-drift.ts', 'DRIFT_LIMIT_PPM', 1 / 10_000] as const;
const BUDGETS = 'db/src/queries/system/alerts.ts';
const COSTS = 'console/server/operator/costs.ts';
const HOUSEKEEPING = 'console/server/housekeeping.ts';
const KEPT = 'packages/core/src/requests/kept-bodies.ts';
const VERIFY = 'packages/cli/src/commands/ledger/verify.ts';
const BODIES = 'api/src/bodies/body-queue.ts';
const UNKNOWN = 'db/src/queries/contracts/unknown-members.ts';
const TALLY = 'api/src/contracts/unknown-tally.ts';
const ASK = 'console/server/live/ask-replicas.ts';
const MEDIA = 'packages/dialects/src/input-tokens/media-tokens.ts';
const COUNT = 'packages/dialects/src/input-tokens/count-text-tokens.ts';
const FREE = 'api/src/pipeline/limit-owners.ts';
const BYTES_PER_TOKEN = ['packages/dialects/src/input-tokens/tokens-of-bytes.ts', 'BYTES_PER_TOKEN'] as const;

const oneMore = (value: number) => value + 1;
const restOfOne = (value: number) => 1 - value;

const OPERATIONS: readonly (readonly [string, readonly Stated[]])[] = [
  ['each of the newest 100,000 requests', [[[VERIFY, 'RECOMPUTED_REQUESTS']]]],
  [
    'an eighth of the memory, at most 1 GiB',
    [[[BODY_MEMORY, 'SHARE_OF_MEMORY']], [[BODY_MEMORY, 'MAX_MEMORY_MIB', MIB]]],
  ],
  ['in MiB; at least 64', [[[BODY_MEMORY, 'MIN_BODY_MEMORY_MIB']]]],
  [
    '`5000`; `0` under `npm start`',
    [
      [['api/src/serve.ts', 'DEFAULT_DRAIN_DELAY_MS']],
      [['api/src/serve.ts', /TOLLGATE_ORCHESTRATED === '1' \? (\d+) :/]],
    ],
  ],
  ['a cookie that is valid for 12 hours', [[['console/server/auth/local-tools.ts', 'lifeSeconds', 1000]]]],
  [
    'after 0.5 s, then after twice the previous wait, up to 15 s',
    [
      [
        [KEEP_RUNNING, 'firstDelayMs'],
        [KEEP_EMBEDDED, 'firstDelayMs'],
      ],
      [
        [KEEP_RUNNING, 'maxDelayMs'],
        [KEEP_EMBEDDED, 'maxDelayMs'],
      ],
    ],
  ],
  [
    'ended six times within five minutes, or PostgreSQL 21 times within ten minutes',
    [
      [[KEEP_RUNNING, 'maxRestarts', oneMore]],
      [[KEEP_RUNNING, 'withinMs']],
      [[KEEP_EMBEDDED, 'maxRestarts', oneMore]],
      [[KEEP_EMBEDDED, 'withinMs']],
    ],
  ],
  ['with Node 24 or newer', [[['scripts/find-node.mjs', 'WANTED_NODE']]]],
  [
    'can hold a quarter of it (at least one body of 32 MiB)',
    [[[BODY_BUDGET, 'ACCOUNT_SHARE']], [[BODY, 'maxBytes']]],
  ],
  ['the last quarter is for accounts that use little', [[[BODY_BUDGET, 'SHARED_SHARE', restOfOne]]]],
  ['16 KiB/s or more after\n  its first 10 s', [[[PACE, 'minBytesPerSecond']], [[PACE, 'graceMs']]]],
  ['should allow bodies of 32 MiB', [[[BODY, 'maxBytes']]]],
  ['partitions three months ahead', [[['api/src/deps.ts', 'PARTITION_MONTHS_AHEAD']]]],
  ['`retry-after` is 1 second', [[['api/src/pipeline/hold-refusal.ts', 'RESERVED_RETRY_SECONDS', 1000]]]],
  ['negative or above 100 million', [[['packages/dialects/src/usage/read-count.ts', 'MAX_COUNT']]]],
  ['four bytes per token', [[BYTES_PER_TOKEN]]],
  ['below one token per 20 bytes', [[['packages/dialects/src/usage/text-meter.ts', 'MAX_BYTES_PER_TOKEN']]]],
  ['below a 32nd', [[['packages/dialects/src/usage/complete-usage.ts', 'MAX_INPUT_RATIO']]]],
  [
    '256 responses at a time in each replica, 64 of one account',
    [[[DRAINS, 'MAX_DRAINS']], [[DRAINS, 'MAX_ACCOUNT_DRAINS']]],
  ],
  [
    "speed of the model's earlier responses (40",
    [[['packages/core/src/models/typical-speed.ts', 'TYPICAL_TOKENS_PER_SECOND']]],
  ],
  [
    '(10 passwords, 5 codes per 15 minutes), and so has each network',
    [
      [
        [THROTTLE, 'signInByEmailAndDevice.limit'],
        [THROTTLE, 'signInByEmailAndIp.limit'],
      ],
      [
        [THROTTLE, 'secondFactorByUserAndDevice.limit'],
        [THROTTLE, 'secondFactorByUserAndIp.limit'],
      ],
      [
        [THROTTLE, 'signInByEmailAndDevice.windowMs'],
        [THROTTLE, 'signInByEmailAndIp.windowMs'],
        [THROTTLE, 'secondFactorByUserAndDevice.windowMs'],
        [THROTTLE, 'secondFactorByUserAndIp.windowMs'],
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
  ['the owner gets one email per day', [[[THROTTLE, 'pausedMailByUser.windowMs']]]],
  [
    'at most 5 reset links, 5 verification emails and 5 invitations per hour',
    [
      [[THROTTLE, 'resetMailByEmail.limit']],
      [[THROTTLE, 'verifyMailByEmail.limit']],
      [[THROTTLE, 'inviteMailByEmail.limit']],
      [
        [THROTTLE, 'resetMailByEmail.windowMs'],
        [THROTTLE, 'verifyMailByEmail.windowMs'],
        [THROTTLE, 'inviteMailByEmail.windowMs'],
      ],
    ],
  ],
  ['may receive live updates for up to 15 minutes', [[['console/server/trpc.ts', 'MAX_STREAM_MS']]]],
  [
    'end after 30 days without use, and at the latest 90 days after sign-in',
    [
      [['console/server/auth/lucia.ts', 'LIFE_DAYS', DAY_MS]],
      [['console/server/auth/lucia.ts', 'MAX_SESSION_LIFE_MS']],
    ],
  ],
  [
    'tried again after one hour and after twelve, then',
    [
      [[UNPAID, /RETRY_AFTER_MS = \[([^,\]]+),/]],
      [[UNPAID, /RETRY_AFTER_MS = \[[^,\]]+, ([^,\]]+)\]/, 1 / HOUR_MS]],
    ],
  ],
  [
    'have used 50, 80 and 100 % of their budget',
    [
      [[BUDGETS, /VALUES \((\d+), \d+\)/]],
      [[BUDGETS, /VALUES \(\d+, \d+\), \((\d+),/]],
      [[BUDGETS, /VALUES \(\d+, \d+\), \(\d+, \d+\), \((\d+),/]],
    ],
  ],
  ['differ by more than 1 %. The console', [[DRIFT_ALERT]]],
  ['for the last 7 or 30 days', [[[COSTS, /'7d': (\d+)/]], [[COSTS, /'30d': (\d+)/, DAY_MS]]]],
  [
    'costs of the last 24 hours are checked: operators get one email per model and route, at most every 7 days, if at least 10 requests differ by more than 1 % and at least $0.01 in total',
    [
      [[SEND_DRIFT, 'WINDOW_MS']],
      [[SEND_DRIFT, 'EVERY_MS']],
      [[CLAIM_DRIFT, 'MIN_REQUESTS']],
      [DRIFT_ALERT],
      [[CLAIM_DRIFT, 'MIN_DIFFERENCE_NANO_USD', 1e-9]],
    ],
  ],
  ['at most 100 such lines', [[['api/src/pipeline/log-failed.ts', 'MAX_LINES_PER_SECOND']]]],
  ['of streams every 2 s', [[['api/src/pipeline/settlement-values.ts', 'CHECKPOINT_EVERY_MS']]]],
  ['(up to 8,192 UTF-16 units)', [[['packages/core/src/money/rates/raw-usage.ts', 'MAX_RAW_USAGE_LENGTH']]]],
  ...STORED_SENTENCES,
  ['the first 256 KiB of each', [[[KEPT, 'KEPT_BODY_BYTES']]]],
  ['deleted within an hour', [[[HOUSEKEEPING, /'delete-expired',\s+everySeconds: (\w+)/, 1000]]]],
  ['after the response, about every 100 ms', [[[BODIES, 'GATHER_MS']]]],
  ['accepts nothing for more than 30 seconds', [[[BODIES, 'GIVE_UP_MS']]]],
  [
    'For a minute after a refusal',
    [[['packages/upstreams/src/routing/provider-concurrency.ts', 'CONTENTION_MS']]],
  ],
  [
    'stored every 15 seconds and kept for 90 days',
    [[[TALLY, 'FLUSH_MS']], [[HOUSEKEEPING, 'KEEP_UNKNOWN_MEMBERS_MS']]],
  ],
  [
    'for each request the first 20 unknown members, and for each provider 500 members, at most 50 of which may come from the same account',
    [
      [[TALLY, 'MAX_PER_REQUEST']],
      [[UNKNOWN, 'MAX_MEMBERS_PER_PROVIDER']],
      [
        [UNKNOWN, 'MAX_MEMBERS_PER_ACCOUNT'],
        [TALLY, 'MAX_ENTRIES_PER_ACCOUNT'],
      ],
    ],
  ],
  [
    'of each route in the last 7 days, and operators get one email per route, and another one only after 7 days without mismatches',
    [
      [['console/server/operator/model-view.ts', 'MISMATCH_DAYS', DAY_MS]],
      [['console/server/operator/alerts/send-mismatch-alerts.ts', 'QUIET_MS']],
    ],
  ],
  [
    'a heartbeat within 20 s',
    [
      [
        [ASK, 'DEAD_AFTER_MS'],
        ['packages/ledger/src/heartbeat-monitor.ts', 'DEAD_AFTER_MS'],
      ],
    ],
  ],
  ['in the last 60 seconds', [[['packages/limits/src/owner-window.ts', 'WINDOW_MS']]]],
];

const README: typeof OPERATIONS = [
  ['Node 20 or newer', [[['package.json', /"node": ">=(\d+)"/]]]],
  ['plain JavaScript for Node 20 or newer', [[['package.json', /"node": ">=(\d+)"/]]]],
  ['is larger than 32 MiB', [[[BODY, 'maxBytes']]]],
];

const CONTRIBUTING: typeof OPERATIONS = [
  ['Node 20 with npm', [[['package.json', /"node": ">=(\d+)"/]]]],
  ['300 lines at most', [[['.oxlintrc.json', /"eslint\/max-lines": \["error", \{ "max": (\d+)/]]]],
];

const ARCHITECTURE: typeof OPERATIONS = [
  ['such as one of more than 1 MiB', [[[BODY, 'maxOutlinedBytes']]]],
  ['it reads keys again every second', [[['api/src/keys/key-cache.ts', 'MAX_AGE_UNHEARD_MS']]]],
  ['for a key that is valid for one hour', [[['console/server/playground/router.ts', 'LIFETIME_MS']]]],
  ["300 ms at most for a key's limits", [[[ASK, 'WINDOWS_WITHIN_MS']]]],
  ['within ten minutes', [[['console/server/auth/confirm-identity.ts', 'CONFIRMED_MS']]]],
  ['view an account for half an hour', [[['console/server/operator/viewing.ts', 'VIEWING_MS']]]],
];

const BOUNDS = 'packages/dialects/src/input-tokens/stated-bounds.fixture.ts';
const toPercent = (share: number) => Math.round(share * 1000) / 10;

const TOKEN_COUNTS: typeof OPERATIONS = [
  ['101 requests whose true count', [[[BOUNDS, 'STATED_REQUESTS']]]],
  [
    "OpenAI's, except GPT-OSS | 20 %, or 15 tokens",
    [[[BOUNDS, 'openai.share', toPercent]], [[BOUNDS, 'openai.tokens']]],
  ],
  [
    '| Claude | 20 %, or 30 tokens',
    [[[BOUNDS, 'anthropic.share', toPercent]], [[BOUNDS, 'anthropic.tokens']]],
  ],
  ['| all others | 50 %, or 150 tokens', [[[BOUNDS, 'other.share', toPercent]], [[BOUNDS, 'other.tokens']]]],
  [
    "The median error is 5 % for OpenAI's models and 1.5 % for Claude.",
    [
      [[BOUNDS, /STATED_HALVES = \{ openai: ([\d.]+),/, toPercent]],
      [[BOUNDS, /STATED_HALVES = \{[^}]*anthropic: ([\d.]+) /, toPercent]],
    ],
  ],
  [
    'Without such a limit, it is 600 for a key and 3,000 for an account',
    [[[FREE, 'FREE_RPM']], [[FREE, 'FREE_ACCOUNT_RPM']]],
  ],
  [
    '(width × height) / 750, scaled down to 1,568 pixels',
    [[[MEDIA, 'PIXELS_PER_TOKEN']], [[MEDIA, 'MAX_EDGE_PIXELS']]],
  ],
  ['is not found, counts 1,600', [[[MEDIA, 'MAX_IMAGE_TOKENS']]]],
  [
    'counts 2,500 for each started 96 KiB',
    // In base64, four characters are three bytes.
    [[[MEDIA, 'DOCUMENT_TOKENS']], [[MEDIA, 'BASE64_CHARACTERS_PER_DOCUMENT_PAGE', 3 / 4]]],
  ],
  ['More than 262,144 characters', [[[COUNT, 'MAX_ESTIMATED_CHARACTERS']]]],
  ['one token per four characters', [[[COUNT, 'CHARACTERS_PER_TOKEN']]]],
  ['for more than 1,048,576 characters', [[[COUNT, 'MAX_ADMISSION_CHARACTERS']]]],
  ['A body of more than 4 MiB', [[[BODY, 'maxCountedBytes']]]],
  ['four bytes of text count as one token', [[BYTES_PER_TOKEN]]],
];

/** Sentences with numbers, by document, and where each number comes from. */
export const SENTENCES = Object.entries({
  'docs/operations.md': OPERATIONS,
  'README.md': README,
  'CONTRIBUTING.md': CONTRIBUTING,
  'docs/architecture.md': ARCHITECTURE,
  'docs/token-counts.md': TOKEN_COUNTS,
}).flatMap(([document, sentences]) =>
  sentences.map(([sentence, numbers]) => [document, sentence, numbers] as const),
);
