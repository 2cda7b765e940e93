import { emailSchema } from '@tollgate/core/keys/credentials';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { usd } from '../../output/format.ts';
import { accountJson, getAccount } from './account-view.ts';
import { unknownPlan } from '../plan/plan-view.ts';

export function addAccountSetPlan(account: Command): void {
  addCommand(account, {
    usage: 'set-plan',
    summary: 'Change the plan of an account, starting with its next request',
    options: [
      { flags: '--email <email>', about: "the account's owner", required: true },
      { flags: '--plan <name>', about: 'the new plan; see `tollgate plan list`', required: true },
    ],
    input: z.object({ email: emailSchema, plan: z.string() }),
    examples: ['tollgate account set-plan --email you@example.com --plan standard'],
    run: ({ email, plan }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = await getAccount(db, email);
        const moved = await setAccountPlan(db, { accountId: id, planId: plan, actorUserId: null });
        if (!moved.ok) throw unknownPlan(plan);
        const now = await getAccount(db, email);
        const credit = moved.grantedNanoUsd > 0n ? `, with a credit of ${usd(moved.grantedNanoUsd)}` : '';
        return {
          json: accountJson(now),
          text: moved.changed
            ? `${email} is now on plan ${plan}${credit}`
            : `${email} is already on plan ${plan}${credit}`,
        };
      }),
  });
}
