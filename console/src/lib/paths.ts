/**
 * Every URL of the console. It imports nothing, so that any feature may take it.
 * The server's emails link to `verify`, `reset` and `confirmEmail`, and the first-run link to `signUp`.
 */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  /** The second step, if the login requires a code. */
  signInCode: '/sign-in/code',
  /** Where a sign-in provider sends people back to. */
  signInExternal: '/sign-in/$provider',
  signUp: '/sign-up',
  verify: '/verify',
  forgot: '/forgot',
  reset: '/reset',
  overview: '/overview',
  usage: '/usage',
  keys: '/keys',
  key: '/keys/$keyId',
  requests: '/requests',
  requestErrors: '/requests/errors',
  requestSessions: '/requests/sessions',
  requestSession: '/requests/session',
  models: '/models',
  playground: '/playground',
  connect: '/connect',
  docs: '/docs',
  billing: '/billing',
  statements: '/billing/statements',
  /** A month such as `2026-10`. */
  statement: '/billing/statements/$month',
  team: '/team',
  audit: '/team/audit',
  /** Where the link of an invitation leads. */
  join: '/join',
  settings: '/settings',
  confirmEmail: '/settings/confirm-email',
  operatorOverview: '/operator',
  operatorAccounts: '/operator/accounts',
  operatorAccount: '/operator/accounts/$accountId',
  operatorPlans: '/operator/plans',
  operatorProviders: '/operator/providers',
  operatorModels: '/operator/models',
  operatorModel: '/operator/models/$modelId',
  operatorCosts: '/operator/costs',
  operatorErrors: '/operator/errors',
  operatorPayments: '/operator/payments',
  operatorPayment: '/operator/payments/$paymentId',
  operatorMails: '/operator/mails',
  operatorAudit: '/operator/audit',
  operatorSystem: '/operator/system',
  mailbox: '/dev/mailbox',
  mail: '/dev/mailbox/$id',
} as const;

/**
 * The printable page of a receipt or credit note, which the server writes.
 * @param id of the document, or of a payment for its receipt
 */
export function receiptPath(id: string): string {
  return `/receipts/${encodeURIComponent(id)}`;
}

export type ExportFormat = 'csv' | 'json' | 'ndjson';

/** The request log as a file, by the same filter as the page. */
export function requestExportPath(
  format: ExportFormat,
  accountId: string,
  filter: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams({ accountId });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  return `/exports/requests.${format}?${query.toString()}`;
}

/** Tables that the server streams as files. Those of an account need its `accountId`. */
type ExportedTable =
  | 'keys'
  | 'activity'
  | 'payments'
  | 'statements'
  | 'accounts'
  | 'installation-payments'
  | 'provider-figures'
  | 'top-accounts'
  | 'provider-costs'
  | 'lost-cache-reads'
  | 'health-check-costs';

/** A table as a file, by the same filter as its page. */
export function exportPath(
  table: ExportedTable,
  format: ExportFormat,
  filter: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  return `/exports/${table}.${format}?${query.toString()}`;
}

/** The audit log of an account as a file, by the same filter as the page. */
export function auditExportPath(format: ExportFormat, query: Readonly<Record<string, string>>): string {
  return `/exports/audit.${format}?${new URLSearchParams(query).toString()}`;
}

/** The audit log of the installation as a file, for operators. */
export function installationAuditExportPath(
  format: ExportFormat,
  query: Readonly<Record<string, string>>,
): string {
  return `/exports/installation-audit.${format}?${new URLSearchParams(query).toString()}`;
}

/** The usage of an account as a file. */
export function usageExportPath(format: ExportFormat, query: Readonly<Record<string, string>>): string {
  return `/exports/usage.${format}?${new URLSearchParams(query).toString()}`;
}

/** A monthly statement as a table. */
export function statementExportPath(
  format: ExportFormat,
  query: { accountId: string; month: string },
): string {
  return `/exports/statement.${format}?${new URLSearchParams(query).toString()}`;
}

/** A monthly statement as PDF. */
export function statementPdfPath({ accountId, month }: { accountId: string; month: string }): string {
  return `/statements/${month}.pdf?${new URLSearchParams({ accountId }).toString()}`;
}
