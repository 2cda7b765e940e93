import type { RetentionKind } from '@tollgate/core/requests/retention';

interface RetentionTexts {
  title: string;
  usualDays: string;
  /** Shown while it is off. */
  off: string;
  /** @param since a date, @param days with the unit */
  describe: (since: string, days: string) => string;
  turnOnTitle: string;
  turnOn: string;
  changeTitle: string;
  change: string;
  /** What the number of days counts from. */
  after: string;
  /** What is stored, who has access, …: term and description. */
  facts: readonly (readonly [term: string, description: string])[];
  stopTitle: string;
  stop: string;
  stopped: string;
}

const STORAGE = 'Encrypted in the database of this installation. The operator holds the encryption key.';

/** What the console says about each kind of data that an account can store. */
export const RETENTION_TEXTS: Record<RetentionKind, RetentionTexts> = {
  bodies: {
    title: 'Request logging',
    usualDays: '7',
    off: 'The request log shows models, tokens, times and costs. Prompts and responses are not stored.',
    describe: (since, days) =>
      `Prompts and responses since ${since} are stored encrypted for ${days}. ` +
      'The owner, admins and members can read them in the request log.',
    turnOnTitle: 'Turn on request logging',
    turnOn: 'Turn on logging',
    changeTitle: 'Change log retention',
    change: 'Also applies to content that is stored already. Older content is deleted immediately.',
    after: 'the request',
    facts: [
      [
        'Logged',
        'Requests and responses of all keys, including the playground: prompts, images and tool results. The first 256 KiB of each are stored. Headers and keys are never stored.',
      ],
      [
        'Access',
        'Owner, admins and members, in the request log. Viewers and operators viewing the account have no access.',
      ],
      ['Storage', STORAGE],
      ['Turning off', 'All logged content is deleted immediately.'],
    ],
    stopTitle: 'Turn off request logging?',
    stop: 'All logged content of this account is deleted immediately. Requests stay in the log with tokens, times and cost.',
    stopped: 'Request logging turned off. Logged content is deleted.',
  },
  responses: {
    title: 'Stored responses',
    usualDays: '30',
    off: 'The Responses API stores nothing. Clients send the whole conversation with each request.',
    describe: (since, days) =>
      `Responses since ${since} are stored encrypted for ${days}. ` +
      'All keys of the account can read and continue them.',
    turnOnTitle: 'Turn on stored responses',
    turnOn: 'Turn on storing',
    changeTitle: 'Change retention',
    change: 'Also applies to responses that are stored already. Older ones are deleted immediately.',
    after: 'the response',
    facts: [
      [
        'Stored',
        'Input and output of requests to the Responses API, and conversations. Requests with store set to false are not stored.',
      ],
      ['Access', 'Every API key of this account, through the API. The console does not show them.'],
      ['Storage', STORAGE],
      ['Turning off', 'All stored responses and conversations are deleted immediately.'],
    ],
    stopTitle: 'Turn off stored responses?',
    stop: 'All stored responses and conversations of this account are deleted immediately. Requests that continue them fail.',
    stopped: 'Stored responses turned off and deleted.',
  },
};
