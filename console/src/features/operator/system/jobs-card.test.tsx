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

it('shows failed and retried jobs with their error, and retries one', async () => {
  await app.signInAsOperator();
  const { db } = app.site.deps;
  await db.sql`DELETE FROM tollgate_jobs.job`;
  for (const id of ['mail_1', 'mail_2'])
    await queueJob(db, { name: 'deliver-mail', key: id, payload: { mailId: id } });
  await db.sql`UPDATE tollgate_jobs.job SET state = 'failed', output = '{"error": "out of order"}'
    WHERE singleton_key = 'mail_1'`;
  await db.sql`UPDATE tollgate_jobs.job SET state = 'retry', start_after = now() + interval '1 hour', retry_count = 1
    WHERE singleton_key = 'mail_2'`;
  const { user } = show(
    <TooltipProvider>
      <Loaded />
    </TooltipProvider>,
  );
  const unfinished = await screen.findByRole('table', { name: 'Unfinished and failed jobs' });
  expect(within(unfinished).getByText('out of order')).toBeTruthy();
  expect(within(unfinished).getByText('failed')).toBeTruthy();
  expect(within(unfinished).getByText('retrying')).toBeTruthy();
  const kinds = within(screen.getByRole('table', { name: 'Jobs by kind' }));
  const row = kinds.getAllByRole('row').find((one) => one.textContent.startsWith('deliver-mail'));
  expect(row?.textContent).toMatch(/^deliver-mail011/);
  const [retry] = within(unfinished).getAllByRole('button', { name: 'Retry: deliver-mail' });
  if (retry === undefined) throw new Error('No job can be retried');
  await user.click(retry);
  await waitFor(() => expect(within(unfinished).queryByText('failed')).toBeNull());
  const [job] = await db.sql`
    SELECT state, start_after <= now() AS due FROM tollgate_jobs.job WHERE singleton_key = 'mail_1'`;
  expect(job).toEqual({ state: 'retry', due: true });
});
