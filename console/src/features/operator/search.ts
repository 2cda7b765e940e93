import { PAYMENT_STATES } from '@tollgate/core/money/payment-states';
import { requestIdSchema } from '@tollgate/core/requests/request-filter';
import { z } from 'zod';
import { auditPeriodShape } from '../../components/audit/period.ts';

export const ACCOUNT_LIST_STATES = ['all', 'active', 'suspended'] as const;

/** Filters of the account list in the URL. Defaults are omitted. */
export const accountsSearchSchema = z.object({
  q: z.coerce.string().max(100).optional().catch(undefined),
  state: z.enum(ACCOUNT_LIST_STATES).optional().catch(undefined),
});

/** What the operator wants to see in the account; the page asks for the reason that viewing requires. */
export const accountSearchSchema = z.object({
  request: requestIdSchema.optional().catch(undefined),
  key: z
    .string()
    .regex(/^key_[0-9A-Za-z]{1,60}$/)
    .optional()
    .catch(undefined),
});

export type AccountSearch = z.infer<typeof accountSearchSchema>;

export const modelsSearchSchema = z.object({
  q: z.coerce.string().max(100).optional().catch(undefined),
});

export const OPERATOR_PERIODS = ['today', '7d', '30d'] as const;
/** Days of each period, today included. */
export const PERIOD_DAYS = { today: 1, '7d': 7, '30d': 30 } as const;
export type OperatorPeriod = (typeof OPERATOR_PERIODS)[number];

/** Period and grouping of the overview in the URL. Defaults are omitted. */
export const operatorOverviewSearchSchema = z.object({
  period: z.enum(OPERATOR_PERIODS).optional().catch(undefined),
  by: z.enum(['model']).optional().catch(undefined),
});

export const FAILURE_PERIODS = ['1h', '24h', '7d'] as const;

export const providerErrorsSearchSchema = z.object({
  period: z.enum(FAILURE_PERIODS).optional().catch(undefined),
  provider: z.coerce.string().min(1).max(200).optional().catch(undefined),
  model: z.coerce.string().min(1).max(200).optional().catch(undefined),
});

export const COST_PERIODS = ['7d', '30d'] as const;

export const costsSearchSchema = z.object({
  period: z.enum(COST_PERIODS).optional().catch(undefined),
});

export const PAYMENT_TABS = ['payments', 'events'] as const;
export const EVENT_OUTCOMES = ['applied', 'unchanged', 'ignored', 'refused'] as const;

export const paymentsSearchSchema = z.object({
  /** Account or payer filter of both tabs. */
  q: z.coerce.string().max(100).optional().catch(undefined),
  state: z.enum(PAYMENT_STATES).optional().catch(undefined),
  tab: z.enum(PAYMENT_TABS).optional().catch(undefined),
  outcome: z.enum(EVENT_OUTCOMES).optional().catch(undefined),
});

export const MAIL_LIST_STATES = ['all', 'waiting', 'sent', 'given_up'] as const;

export const mailsSearchSchema = z.object({
  state: z.enum(MAIL_LIST_STATES).optional().catch(undefined),
});

/** Kinds of actions in the audit log of the installation: the part before the dot. */
export const INSTALLATION_AUDIT_KINDS = [
  'provider',
  'model',
  'route',
  'pattern',
  'plan',
  'account',
  'user',
  'key',
  'installation',
  'ledger',
  'job',
  'mail',
  'payment',
  'payment_event',
  'billing',
  'tax_rate',
  'request',
  'search',
] as const;
export type InstallationAuditKind = (typeof INSTALLATION_AUDIT_KINDS)[number];

/** Filters of the audit log in the URL. Defaults (everything) are omitted. */
export const installationAuditSearchSchema = z.object({
  /** User ID of the actor, or `cli`. */
  actor: z
    .string()
    .regex(/^(cli|user_[0-9a-z]{1,40})$/)
    .optional()
    .catch(undefined),
  type: z.enum(INSTALLATION_AUDIT_KINDS).optional().catch(undefined),
  q: z.coerce.string().max(200).optional().catch(undefined),
  ...auditPeriodShape,
});

export type InstallationAuditSearch = z.infer<typeof installationAuditSearchSchema>;
