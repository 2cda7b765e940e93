import { addPlan } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withNewInstallation } from '../../installation.ts';
import { PLAN_TERM_OPTIONS, planNameOption, planTermsShape, readTerms } from './terms.ts';
import { planDenied, planJson, planText } from './plan-view.ts';

export function addPlanAdd(plan: Command): void {
  addCommand(plan, {
    usage: 'add',
    summary: 'Add a plan',
    options: [{ flags: '--name <name>', about: 'name of the plan', required: true }, ...PLAN_TERM_OPTIONS],
    input: z.object({ name: planNameOption, ...planTermsShape }),
    examples: [
      'tollgate plan add --name team --rpm 600 --tpm 2000000 --price-multiplier 1.2',
      'tollgate plan add --name trial --models gpt-5-mini,claude-sonnet-5 --rpm 20 --included-credit 5',
    ],
    run: async ({ name, ...terms }, { env }) => {
      const added = await withNewInstallation(env, ({ db }) =>
        addPlan(db, { id: name, ...readTerms(terms) }),
      );
      if (!added.ok) throw planDenied(name, added);
      return {
        json: planJson(added.plan),
        text: `${planText(added.plan)}\n\nAssign it to an account:\n  tollgate account set-plan --email you@example.com --plan ${name}`,
      };
    },
  });
}
