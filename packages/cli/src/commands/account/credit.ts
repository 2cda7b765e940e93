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
    summary: 'Give credit to an account, or take some away',
    options: [
      { flags: '--email <email>', about: 'its owner', required: true },
      {
        flags: '--amount <usd>',
        about: 'below 0 it takes away what is neither spent nor held',
        required: true,
      },
      { flags: '--reason <text>', about: 'stands in the ledger, where the account reads it', required: true },
    ],
    input: inputSchema,
    examples: [
      'tollgate account credit --email you@example.com --amount 25 --reason "a month of trial"',
      'tollgate account credit --email you@example.com --amount -5 --reason "given by mistake"',
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
            `${email} has ${usd(adjusted.availableNanoUsd)}, of which ${usd(adjusted.heldNanoUsd)} is held for requests under way: that much cannot be taken`,
          );
        const now = await getAccount(db, email);
        const done = amount > 0n ? `${usd(amount)} given to` : `${usd(-amount)} taken from`;
        return {
          json: accountJson(now),
          text: `${done} ${email}: ${usd(now.availableNanoUsd)} is available`,
        };
      }),
  });
}
