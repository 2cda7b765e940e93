import type { FailureGroup, FailureList } from '@tollgate/db/queries/requests/list-failures';

/** Failures of the same cause; times are ISO 8601. */
export interface FailureGroupView {
  code: string;
  errorType: string | null;
  message: string | null;
  provider: string | null;
  models: string[];
  failures: number;
  answered: number;
  firstAt: string;
  lastAt: string;
  exampleId: string;
  /** The account of the example; null: the reader's. */
  exampleAccountId: string | null;
}

export interface FailureListView {
  groups: FailureGroupView[];
  /** null: the whole time range was searched. */
  searchedTo: string | null;
}

/** @param isOperator the groups span all accounts */
export function toFailureList({ groups, searchedTo }: FailureList, isOperator: boolean): FailureListView {
  return {
    groups: groups.map((group) => toGroup(group, isOperator)),
    searchedTo: searchedTo?.toISOString() ?? null,
  };
}

function toGroup(group: FailureGroup, isOperator: boolean): FailureGroupView {
  const { firstAt, lastAt, example, ...rest } = group;
  return {
    ...rest,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
    exampleId: example.id,
    exampleAccountId: isOperator ? example.accountId : null,
  };
}
