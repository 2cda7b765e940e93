import { listPlans } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { planJson, planTable } from './plan-view.ts';

export function addPlanList(plan: Command): void {
  addCommand(plan, {
    usage: 'list',
    summary: 'List plans',
    input: z.object({}),
    examples: ['tollgate plan list', 'tollgate plan list --json'],
    run: async (_, { env }) => {
      const plans = await withInstallation(env, ({ db }) => listPlans(db));
      return {
        json: { plans: plans.map((each) => ({ ...planJson(each), accounts: each.accounts })) },
        text: planTable(plans),
      };
    },
  });
}
