const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'charge-auto-top-ups': 'Charges cards for automatic top-ups',
  'check-credentials': 'Tests provider credentials that were set aside',
  'delete-expired': 'Deletes expired sessions, codes and old records',
  'deliver-mail': 'Sends emails',
  'finish-refunds': 'Finishes refunds at the payment provider',
  'look-up-payments': 'Checks unfinished payments at the payment provider',
  'pass-on-unspent-budget': 'Moves unspent budget of replaced keys to their new keys',
  'post-late-usage': 'Posts older usage to the ledger',
  'post-recent-usage': 'Posts usage of the last hours to the ledger',
  'rank-all-keys': 'Updates the order of all keys by spend and last use',
  'rank-recent-keys': 'Updates the order of recently used keys',
  'remove-payment-data': 'Deletes cards and customers at the payment provider',
  'roll-usage': 'Sums up usage for charts and reports',
  'send-alerts': 'Emails about low balances and used budgets',
  'send-credential-alerts': 'Emails operators about provider credentials that were set aside',
  'send-drift-alerts': 'Emails operators about provider costs that differ from billed costs',
  'send-late-alerts': 'Emails about budgets that were used while no console ran',
  'send-mismatch-alerts': 'Emails operators about responses that could not be priced',
  'sum-requests': 'Sums up requests for the overview of the installation',
  'verify-ledger': 'Checks that balances, holds and charges add up',
};

/** What a kind of job of the console does. @returns null for a kind of another version */
export function describeJob(kind: string): string | null {
  return DESCRIPTIONS[kind] ?? null;
}
