import { listPlans } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { formatTable } from '../../output/table.ts';
import { planCells, planJson } from './plan-view.ts';

/** In the order of `planCells`. */
const COLUMNS = [
  { title: 'PLAN' },
  { title: 'MODELS', align: 'right' },
  { title: 'RPM', align: 'right' },
  { title: 'TPM', align: 'right' },
  { title: 'PRICE ×', align: 'right' },
  { title: 'INCLUDED', align: 'right' },
  { title: 'PREPAID' },
  { title: 'ACCOUNTS', align: 'right' },
] as const;

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
        text: formatTable(COLUMNS, plans.map(planCells)),
      };
    },
  });
}
