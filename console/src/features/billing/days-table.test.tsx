import { setTimeout as wait } from 'node:timers/promises';
import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type Billing } from '../../lib/trpc.ts';
import { openConsole, show } from '../../testing/open-console.tsx';
import { DaysTable } from './days-table.tsx';

const app = openConsole();
afterEach(() => vi.useRealTimers());

function Loaded({ accountId }: { accountId: string }) {
  const { data } = useQuery(trpc.billing.get.queryOptions({ accountId }));
  return data === undefined ? null : <DaysTable accountId={accountId} billing={data} />;
}

it('reads the days again if an entry was posted, and not while nothing or pending usage changed', async () => {
  const { accountId, visitor } = await app.signIn();
  const { db } = app.site.deps;
  await creditBalance(db, { accountId, amountNanoUsd: 7_000_000_000n });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const asked = vi.spyOn(globalThis, 'fetch');
  const countReads = () =>
    asked.mock.calls.filter(([url]) => typeof url === 'string' && url.includes('billing.days')).length;
  const read = () => visitor.client.billing.get.query({ accountId });
  const change = (billing: Billing) =>
    act(() => void queryClient.setQueryData(trpc.billing.get.queryKey({ accountId }), billing));

  show(<Loaded accountId={accountId} />);
  await screen.findByText(/Credit/);
  const reads = countReads();
  expect(reads).toBeGreaterThan(0);
  const billing = await read();
  change({
    ...billing,
    availableNanoUsd: String(BigInt(billing.availableNanoUsd) - 5n),
    unpostedNanoUsd: '5',
  });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await wait(200);
  expect(countReads()).toBe(reads);

  await creditBalance(db, { accountId, amountNanoUsd: 2_000_000_000n });
  change(await read());
  await expect.poll(countReads).toBe(reads + 1);
});
