import { TIME_ZONE_HEADER } from '@tollgate/core/requests/last-days';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/router.ts';
import { confirmationLink } from './confirm-identity.ts';
import { visitorTimeZone } from './format/time-zone.ts';
import { queryClient } from './query-client.ts';

const TRPC_URL = '/trpc';

/** Calls procedures outside of components and queries. */
export const client = createTRPCClient<AppRouter>({
  links: [
    confirmationLink,
    splitLink({
      condition: ({ type }) => type === 'subscription',
      true: httpSubscriptionLink({ url: TRPC_URL }),
      false: httpBatchLink({ url: TRPC_URL, headers: () => ({ [TIME_ZONE_HEADER]: visitorTimeZone() }) }),
    }),
  ],
});

/** Query and mutation options of every procedure: one source for loaders, components and invalidation. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

type Outputs = inferRouterOutputs<AppRouter>;

export type Session = Outputs['session']['get'];
export type Account = Session['accounts'][number];
export type SearchHit = Outputs['search']['find']['hits'][number];
export type KeyRow = Outputs['keys']['list']['keys'][number];
export type LiveChange = Outputs['live']['changes'] extends AsyncIterable<infer Change> ? Change : never;
export type KeyView = Outputs['keys']['get'];
export type KeyWindows = Outputs['keys']['windows'];
export type Model = Outputs['models']['list']['models'][number];
export type Catalogue = Outputs['models']['catalogue'];
export type CatalogueModel = Catalogue['models'][number];
export type Billing = Outputs['billing']['get'];
export type EntryRow = Outputs['billing']['entries']['entries'][number];
export type MonthSpend = Outputs['usage']['month'];
export type DayRow = Outputs['billing']['days']['days'][number];
export type DayParts = Outputs['billing']['day'];
export type PaymentRow = Outputs['billing']['payments']['payments'][number];
export type BillingDetails = Outputs['billingDetails']['get'];
export type TaxRate = Outputs['operator']['taxes']['list']['rates'][number];
export type TaxSettings = Outputs['operator']['taxes']['list'];
export type TaxMode = TaxSettings['mode'];
export type StatementRow = Outputs['statements']['list']['statements'][number];
export type Statement = Outputs['statements']['get'];
export type SetupSteps = Outputs['operator']['system']['setupSteps'];
export type UsageReport = Outputs['usage']['report'];
export type GroupTimes = Outputs['usage']['groupTimes'];
export type KeySpend = Outputs['usage']['topKeys']['keys'][number];
export type RequestListRow = Outputs['requests']['list']['requests'][number];
export type RequestDetail = Outputs['requests']['get'];
export type SavedView = Outputs['views']['list']['views'][number];
export type RequestSession = Outputs['requests']['session'];
export type FailureGroup = Outputs['requests']['failures']['groups'][number];
/** null: off. */
export type OwnCredential = Outputs['ownCredentials']['list']['providers'][number];
export type Retention = Outputs['bodies']['setting'];
export type KeptBodies = Outputs['bodies']['get'];
export type MemberRow = Outputs['team']['members']['members'][number];
export type InvitationRow = Outputs['team']['invitations']['invitations'][number];
/** Of an emailed link. */
export type LinkedInvitation = Outputs['team']['invitation'];
export type ReceivedInvitation = Outputs['team']['invitationsToMe']['invitations'][number];
export type AuditRow = Outputs['audit']['list']['entries'][number];
export type SecurityEvent = Outputs['settings']['securityEvents']['events'][number];
export type SessionRow = Outputs['sessions']['list']['sessions'][number];
export type ConfirmationMethods = Outputs['sessions']['confirmationMethods'];
export type PasskeyRow = Outputs['passkeys']['list']['passkeys'][number];
export type Deletion = Outputs['settings']['deletion'];
export type SignInEntry = Outputs['auth']['signIn'];
export type TwoFactorPolicy = Outputs['teamTwoFactor']['get'];
export type VerifiedEntry = Outputs['auth']['verifyEmail'];
export type ExternalOutcome = Outputs['external']['finish'];
export type LinkedIdentity = Outputs['external']['linked'][number];
export type MailRow = Outputs['mailbox']['list']['mails'][number];
