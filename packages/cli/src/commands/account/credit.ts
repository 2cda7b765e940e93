import { emailSchema } from '@tollgate/core/keys/credentials';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { signedAmountOption } from '../../options/amount-option.ts';
import { usd } from '../../output/format.ts';
import { accountJson, getAccount } from './account-view.ts';

const inputSchema = z.object({
  email: emailSchema,
  amount: signedAmountOption,
  reason: z.string().trim().min(1, 'must not be empty').max(500, 'must have at most 500 characters'),
});

export function addAccountCredit(account: Command): void {
  addCommand(account, {
    usage: 'credit',
    summary: 'Add credit to an account, or remove credit',
    options: [
      { flags: '--email <email>', about: "the account's owner", required: true },
      {
        flags: '--amount <usd>',
        about: 'amount to add; a negative amount removes available credit',
        required: true,
      },
      { flags: '--reason <text>', about: "shown to the account's members in the ledger", required: true },
    ],
    input: inputSchema,
    examples: [
      'tollgate account credit --email you@example.com --amount 25 --reason "one month trial"',
      'tollgate account credit --email you@example.com --amount -5 --reason "added by mistake"',
    ],
    run: ({ email, amount, reason }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = await getAccount(db, email);
        const adjusted = await adjustBalance(db, {
          accountId: id,
          amountNanoUsd: amount,
          reason,
          actorUserId: null,
        });
        if (!adjusted.ok)
          throw new Failure(
            'insufficient_balance',
            `${email} has ${usd(adjusted.availableNanoUsd)} available and ${usd(adjusted.heldNanoUsd)} on hold for in-flight requests. Remove a smaller amount.`,
          );
        const now = await getAccount(db, email);
        const done = amount > 0n ? `Added ${usd(amount)} to` : `Removed ${usd(-amount)} from`;
        return {
          json: accountJson(now),
          text: `${done} ${email}. Available balance: ${usd(now.availableNanoUsd)}`,
        };
      }),
  });
}
