import { emailSchema } from '@tollgate/core/keys/credentials';
import { MAX_RETENTION_DAYS, retentionSchema } from '@tollgate/core/requests/retention';
import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import { keepStored, stopKeepingStored } from '@tollgate/db/queries/retention/retention-setting';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { getAccount } from './account-view.ts';

export function addAccountStoredResponses(account: Command): void {
  addCommand(account, {
    usage: 'stored-responses <days|off>',
    summary: 'Set how many days responses of an account are stored, or delete them and store none',
    positional: ['days'],
    options: [{ flags: '--email <email>', about: "the account's owner", required: true }],
    input: z.object({
      email: emailSchema,
      days: z.union([z.literal('off'), z.coerce.number().pipe(retentionSchema('responses'))], {
        error: `must be off or a number of days from 1 to ${MAX_RETENTION_DAYS.responses}`,
      }),
    }),
    examples: [
      'tollgate account stored-responses 30 --email you@example.com',
      'tollgate account stored-responses off --email you@example.com',
    ],
    run: ({ email, days }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const { id: accountId } = await getAccount(db, email);
        const now = new Date(clock.nowMs());
        if (days === 'off') await stopKeepingStored(db, 'responses', { accountId, actorUserId: null });
        else await keepStored(db, 'responses', { accountId, actorUserId: null, retentionDays: days, now });
        const deleted = await deleteStale(db, 'responses', { accountId, now });
        const retentionDays = days === 'off' ? null : days;
        const text =
          retentionDays === null
            ? `No responses are stored for the account of ${email}. Deleted responses: ${deleted}`
            : `Responses of the account of ${email} are stored for ${retentionDays} days. Deleted responses: ${deleted}`;
        return { json: { accountId, retentionDays, deleted }, text };
      }),
  });
}
