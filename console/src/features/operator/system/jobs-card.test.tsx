import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { queueJob } from '@tollgate/db/queries/jobs/queue-job';
import { expect, it } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { TooltipProvider } from '../../../components/ui/tooltip.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { JobsCard } from './jobs-card.tsx';

const app = openConsole();

function Loaded() {
  const { data } = useQuery(trpc.operator.system.get.queryOptions());
  return data === undefined ? null : <JobsCard jobs={data.jobs} />;
}

function showLoaded() {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return show(
    <RouterContextProvider router={router}>
      <TooltipProvider>
        <Loaded />
      </TooltipProvider>
    </RouterContextProvider>,
  );
}

it('shows failed and retried jobs with their error, and retries one', async () => {
  await app.signInAsOperator();
  const { db } = app.site.deps;
  await db.sql`DELETE FROM tollgate_jobs.job`;
  for (const reference of ['pm_1', 'pm_2'])
    await queueJob(db, {
      name: 'remove-payment-data',
      key: reference,
      payload: { provider: 'test', kind: 'method', reference },
    });
  await db.sql`UPDATE tollgate_jobs.job SET state = 'failed', output = '{"error": "out of order"}'
    WHERE singleton_key = 'pm_1'`;
  await db.sql`UPDATE tollgate_jobs.job SET state = 'retry', start_after = now() + interval '1 hour', retry_count = 1
    WHERE singleton_key = 'pm_2'`;
  const { user } = showLoaded();
  const unfinished = await screen.findByRole('table', { name: 'Unfinished and failed jobs' });
  expect(within(unfinished).getByText('out of order')).toBeTruthy();
  expect(within(unfinished).getByText('failed')).toBeTruthy();
  expect(within(unfinished).getByText('retrying')).toBeTruthy();
  const kinds = within(screen.getByRole('table', { name: 'Jobs by kind' }));
  const row = kinds.getAllByRole('row').find((one) => one.textContent.includes('remove-payment-data'));
  expect(row?.textContent).toMatch(/^Deletes cards .*remove-payment-data011/);
  const [retry] = within(unfinished).getAllByRole('button', { name: 'Retry: remove-payment-data' });
  if (retry === undefined) throw new Error('No job can be retried');
  await user.click(retry);
  await waitFor(() => expect(within(unfinished).queryByText('failed')).toBeNull());
  const [job] = await db.sql`
    SELECT state, start_after <= now() AS due FROM tollgate_jobs.job WHERE singleton_key = 'pm_1'`;
  expect(job).toEqual({ state: 'retry', due: true });
});

it('says that emails wait without a mail server, and offers no button to run their jobs', async () => {
  await app.signInAsOperator();
  const { db } = app.site.deps;
  await db.sql`DELETE FROM tollgate_jobs.job`;
  await queueJob(db, { name: 'deliver-mail', key: 'mail_1', payload: { mailId: 'mail_1' } });
  showLoaded();
  const note = await screen.findByText(/No mail server is configured/);
  expect(within(note).getByRole('link', { name: 'Emails page' }).getAttribute('href')).toBe(
    '/operator/mails',
  );
  expect(screen.queryByRole('table', { name: 'Unfinished and failed jobs' })).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
