import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import type { Sort } from './table-head.tsx';

cleanUpAfterEach();

interface Row {
  name: string;
  cost: string;
}

const ROWS: Row[] = [
  { name: 'ci', cost: '$1.00' },
  { name: 'production', cost: '$20.00' },
];

const COLUMNS: Column<Row>[] = [
  { head: 'Name', firstSort: 'ascending', cell: ({ name }) => <a href={`/${name}`}>{name}</a> },
  { head: 'Cost', kind: 'money', from: 'xl', cell: ({ cost }) => cost, folded: ({ cost }) => `Cost ${cost}` },
  {
    head: 'Actions',
    isHeadHidden: true,
    kind: 'actions',
    cell: ({ name }) => <button type="button">Edit {name}</button>,
  },
];

function Table({ load }: { load: () => Promise<Row[]> }) {
  const list = useQuery({ queryKey: ['rows'], queryFn: load, retry: false });
  return (
    <DataTable
      list={list}
      failure="The keys could not be loaded"
      caption="Keys"
      columns={COLUMNS}
      rows={list.data ?? []}
      rowKey={({ name }) => name}
      empty={<p>No keys yet</p>}
    />
  );
}

it('shows that it loads, then the rows with their headers', async () => {
  const loading = Promise.withResolvers<Row[]>();
  show(<Table load={async () => loading.promise} />);
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(screen.queryByRole('table')).toBeNull();
  loading.resolve(ROWS);
  const table = await screen.findByRole('table', { name: 'Keys' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Name', 'Cost', 'Actions']);
  expect(within(table).getAllByRole('rowheader')).toHaveLength(2);
  expect(screen.queryByRole('status')).toBeNull();
});

it('shows why loading failed, and loads again on request', async () => {
  const load = vi.fn<() => Promise<Row[]>>().mockRejectedValueOnce(new Error('boom')).mockResolvedValue(ROWS);
  const { user } = show(<Table load={load} />);
  expect((await screen.findByRole('alert')).textContent).toContain('The keys could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table', { name: 'Keys' })).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows the empty state instead of a table without rows', async () => {
  show(<Table load={async () => Promise.resolve([])} />);
  expect(await screen.findByText('No keys yet')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});

it('folds a column that narrow tables hide into the row header, and aligns amounts to the right', async () => {
  show(<Table load={async () => Promise.resolve(ROWS)} />);
  const [header] = await screen.findAllByRole('rowheader');
  expect(header?.textContent).toBe('ciCost $1.00');
  expect(screen.getByText('Cost $1.00').className).toContain('@xl:hidden');
  expect(screen.getByRole('cell', { name: '$1.00' }).className).toMatch(/hidden.*@xl:table-cell.*text-right/);
});

it('arrow keys move the focus to the same control of the next row', async () => {
  const { user } = show(<Table load={async () => Promise.resolve(ROWS)} />);
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(2));
  const focused = () => document.activeElement?.textContent;
  screen.getByRole('link', { name: 'ci' }).focus();
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('production');
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('production');
  await user.keyboard('k');
  expect(focused()).toBe('ci');
  screen.getByRole('button', { name: 'Edit ci' }).focus();
  await user.keyboard('j');
  expect(focused()).toBe('Edit production');
});

function Sorted() {
  const [sort, setSort] = useState<Sort>({ by: 'Cost', direction: 'descending' });
  return (
    <DataTable
      caption="Keys"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={({ name }) => name}
      sort={sort}
      onSort={setSort}
    />
  );
}

it('a header sorts, and reverses the order when it is pressed again', async () => {
  const { user } = show(<Sorted />);
  const header = () => screen.getByRole('columnheader', { name: 'Name' });
  expect(header().getAttribute('aria-sort')).toBe('none');
  await user.tab();
  await user.keyboard('{Enter}');
  expect(header().getAttribute('aria-sort')).toBe('ascending');
  await user.keyboard('{Enter}');
  expect(header().getAttribute('aria-sort')).toBe('descending');
  expect(within(screen.getByRole('columnheader', { name: 'Cost' })).queryByRole('button')).toBeNull();
});
