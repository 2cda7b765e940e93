import { removePlan, type RemovePlanDenial } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';
import { unknownPlan } from './plan-view.ts';

export function addPlanRemove(plan: Command): void {
  addCommand(plan, {
    usage: 'remove <NAME>',
    summary: 'Remove a plan that no account uses',
    positional: ['name'],
    input: z.object({ name: z.string() }),
    examples: ['tollgate plan remove trial'],
    run: async ({ name }, { env }) => {
      const removed = await withInstallation(env, ({ db }) => removePlan(db, name));
      if (!removed.ok) throw denied(name, removed);
      return { json: { name }, text: `Removed ${name}` };
    },
  });
}

function denied(name: string, denial: RemovePlanDenial): Failure {
  switch (denial.reason) {
    case 'unknown_plan':
      return unknownPlan(name);
    case 'default_plan':
      return new Failure(
        denial.reason,
        `${name} is the default plan for new accounts and cannot be removed. Change it with \`tollgate plan update\`.`,
      );
    case 'plan_in_use': {
      const more = denial.accounts - denial.emails.length;
      const whose = `${denial.emails.join(', ')}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
      return new Failure(
        denial.reason,
        `${name} is the plan of ${counted(denial.accounts, 'account')}: ${whose}. Move them first with \`tollgate account set-plan\`.`,
      );
    }
  }
}
