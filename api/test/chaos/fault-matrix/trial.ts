import { TESTED_ENDPOINTS } from '../../tested-endpoints.ts';
import type { Cell, Dialect } from './cell.ts';
import type { End, Expected, Fault } from './fault.ts';

/** One request of one cell. */
export interface Trial {
  /** Also the id of its model, and part of the address of its providers. */
  id: string;
  fault: Fault;
  cell: Cell;
  /** `backed`: with a second provider. */
  kind: 'backed' | 'alone';
  secondDialect: Dialect;
}

/** The dialect of the provider from which the responses of an endpoint are translated: each dialect is one of them. */
const TRANSLATED: Record<Dialect, Dialect> = {
  'openai-chat': 'anthropic-messages',
  'anthropic-messages': 'openai-responses',
  'openai-responses': 'openai-chat',
};

/** The columns of the table. */
export const CELLS: readonly Cell[] = TESTED_ENDPOINTS.flatMap(({ dialect: endpoint }) =>
  [endpoint, TRANSLATED[endpoint]].flatMap((dialect) =>
    [true, false].map((isStream) => ({ endpoint, dialect, isStream })),
  ),
);

/** @param number of the fault in the table */
export function createTrials(fault: Fault, number: number): Trial[] {
  return CELLS.flatMap((cell, column) => {
    const { end, alone = end } = fault.expected(cell);
    // Without a second provider, what the first one says is the same.
    const kinds = end === 'second' || alone !== end ? (['backed', 'alone'] as const) : (['backed'] as const);
    return kinds.map((kind) => ({
      id: `f${number}-${column}-${kind}`,
      fault,
      cell,
      kind,
      secondDialect: cell.dialect === cell.endpoint ? TRANSLATED[cell.endpoint] : cell.endpoint,
    }));
  });
}

/** How a trial must end. */
export function getExpected({ fault, cell, kind }: Pick<Trial, 'fault' | 'cell' | 'kind'>): Expected {
  const expected = fault.expected(cell);
  if (kind === 'backed') return expected;
  const end: End = expected.alone ?? (expected.end === 'second' ? 'error' : expected.end);
  return { ...expected, end };
}

export function describeTrial({ cell, kind }: Trial): string {
  return `${cell.dialect} to ${cell.endpoint}, ${cell.isStream ? 'streamed' : 'whole'}, ${kind}`;
}
