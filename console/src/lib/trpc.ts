import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/router.ts';
import { queryClient } from './query-client.ts';

const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: '/trpc' })] });

/** Query and mutation options of every procedure: one source for loaders, components and invalidation. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

type Outputs = inferRouterOutputs<AppRouter>;

export type Session = Outputs['session']['get'];
export type Account = Session['accounts'][number];
export type KeyRow = Outputs['keys']['get'];
export type Model = Outputs['models']['list']['models'][number];
export type Billing = Outputs['billing']['get'];
export type EntryRow = Outputs['billing']['entries']['entries'][number];
export type PaymentRow = Outputs['billing']['payments']['payments'][number];
export type MailRow = Outputs['mailbox']['list']['mails'][number];
