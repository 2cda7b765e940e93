import { listOperatorEmails } from '@tollgate/db/queries/contracts/price-mismatches';
import { claimCredentialAlerts } from '@tollgate/db/queries/providers/set-aside-credentials';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Deps } from '../../deps.ts';
import { setAsideMail } from '../../mail/operator-templates.ts';

/** Credentials that one email names at most. */
const NAMED_CREDENTIALS = 20;

/** Notifies operators of credentials that their providers refused, at most once a day for each one. */
export async function sendCredentialAlerts(deps: Deps): Promise<void> {
  const count = await inTransaction(deps.db, async (tx) => {
    const claimed = await claimCredentialAlerts(tx, new Date(deps.clock.nowMs()));
    if (claimed.length === 0) return 0;
    const mail = setAsideMail({
      lines: claimed.slice(0, NAMED_CREDENTIALS).map((credential) => ({
        name: `${credential.providerName} (${credential.label})`,
        cause: credential.setAsideCause ?? 'refused',
        message: credential.setAsideMessage,
      })),
      more: Math.max(0, claimed.length - NAMED_CREDENTIALS),
      link: `${deps.settings.publicConsoleUrl}/operator/providers`,
    });
    for (const recipient of await listOperatorEmails(tx))
      await queueMail(tx, deps.sealer, { recipient, mail });
    return claimed.length;
  });
  if (count > 0) deps.onMailQueued();
}
