import { findAccountName } from '@tollgate/db/queries/accounts/account-name';
import { listBillingEmails } from '@tollgate/db/queries/system/alerts';
import type { Connection } from '@tollgate/db/transaction';
import { queueMail, type Mail } from '@tollgate/mail/queue-mail';
import type { Deps } from '../deps.ts';

/** Sends an email about an account to everyone who may pay for it. They may belong to several, so it names the account. */
export async function queueBillingMail(
  tx: Connection,
  { sealer }: Pick<Deps, 'sealer'>,
  accountId: string,
  write: (accountName: string) => Mail,
): Promise<void> {
  const mail = write((await findAccountName(tx, accountId)) ?? accountId);
  for (const recipient of await listBillingEmails(tx, accountId))
    await queueMail(tx, sealer, { recipient, mail });
}
