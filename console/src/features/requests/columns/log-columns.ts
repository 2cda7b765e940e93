/** The columns of the log that can be hidden, in the order in which the menu lists them. */
export const LOG_COLUMNS = [
  'time',
  'key',
  'client',
  'session',
  'endpoint',
  'tokens',
  'cached',
  'firstByte',
  'latency',
  'cost',
] as const;

export type LogColumn = (typeof LOG_COLUMNS)[number];

export const COLUMN_TITLES: Readonly<Record<LogColumn, string>> = {
  time: 'Time',
  key: 'Key',
  client: 'Client',
  session: 'Session',
  endpoint: 'Endpoint',
  tokens: 'Tokens in → out',
  cached: 'Cached input',
  firstByte: 'First byte',
  latency: 'Latency',
  cost: 'Cost',
};

const SHOWN_AT_FIRST: readonly LogColumn[] = [
  'time',
  'key',
  'client',
  'tokens',
  'firstByte',
  'latency',
  'cost',
];

/** The columns that a person chose. */
export interface ChosenColumns {
  shown: readonly LogColumn[];
  /** True: nothing was chosen. */
  isDefault: boolean;
}

/** @param stored as `formatColumns` wrote it; null: nothing was chosen */
export function parseColumns(stored: string | null): ChosenColumns {
  if (stored === null) return { shown: SHOWN_AT_FIRST, isDefault: true };
  const names = new Set(stored.split(','));
  return { shown: LOG_COLUMNS.filter((column) => names.has(column)), isDefault: false };
}

/** @returns null if it is what is shown at first */
export function formatColumns(shown: readonly LogColumn[]): string | null {
  const listed = LOG_COLUMNS.filter((column) => shown.includes(column)).join(',');
  return listed === SHOWN_AT_FIRST.join(',') ? null : listed;
}
