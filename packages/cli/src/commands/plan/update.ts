import { updatePlan } from '@tollgate/db/queries/plans/plans';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { UsageFailure } from '../../failure.ts';
import { withNewInstallation } from '../../installation.ts';
import { PLAN_TERM_OPTIONS, planTermsShape, readTerms } from './terms.ts';
import { planDenied, planJson, planText } from './plan-view.ts';

const inputSchema = z
  .object({ name: z.string(), ...planTermsShape, prepaid: z.boolean().optional() })
  .refine(({ prepaid, notPrepaid }) => prepaid === undefined || notPrepaid === undefined, {
    path: ['prepaid'],
    message: 'cannot be combined with --not-prepaid',
  });

export function addPlanUpdate(plan: Command): void {
  addCommand(plan, {
    usage: 'update',
    summary: 'Change terms of a plan, effective immediately',
    options: [
      { flags: '--name <name>', about: 'name of the plan', required: true },
      ...PLAN_TERM_OPTIONS,
      { flags: '--prepaid', about: 'charge usage to balances' },
    ],
    input: inputSchema,
    examples: [
      'tollgate plan update --name standard --rpm 1000 --tpm none',
      'tollgate plan update --name free --models all --included-credit 2',
    ],
    run: async ({ name, prepaid, ...typed }, { env }) => {
      const terms = { ...readTerms(typed), ...(prepaid === true && { isPrepaid: true }) };
      if (Object.keys(terms).length === 0)
        throw new UsageFailure('No changes given. See `tollgate plan update --help`.');
      const updated = await withNewInstallation(env, ({ db }) => updatePlan(db, name, terms));
      if (!updated.ok) throw planDenied(name, updated);
      return { json: planJson(updated.plan), text: planText(updated.plan) };
    },
  });
}
