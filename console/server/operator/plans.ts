import { planIdSchema, planTermsSchema, type PlanTermsInput } from '@tollgate/core/money/plan-terms';
import { decodePlanTerms, encodePlanTerms, type Plan } from '@tollgate/db/queries/plans/plan-terms';
import {
  addPlan,
  DEFAULT_PLAN,
  listPlans,
  removePlan,
  updatePlan,
  type PutPlanDenial,
  type RemovePlanDenial,
} from '@tollgate/db/queries/plans/plans';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';

/** A plan as it is typed again in the form: amounts in USD. */
export interface PlanRow extends PlanTermsInput {
  id: string;
  accounts: number;
  /** Plan of new accounts; it cannot be removed. */
  isDefault: boolean;
  createdAt: string;
}

const planSchema = z.object({ id: planIdSchema, terms: planTermsSchema });

export const operatorPlansRouter = router({
  list: operatorProcedure.query(async ({ ctx }): Promise<{ plans: PlanRow[] }> => {
    const plans = await listPlans(ctx.deps.db);
    return { plans: plans.map(toPlanRow) };
  }),

  add: operatorProcedure.input(planSchema).mutation(async ({ ctx, input }): Promise<void> => {
    const plan = { id: input.id, ...encodePlanTerms(input.terms) };
    const added = await addPlan(ctx.deps.db, plan, ctx.session.user.id);
    if (!added.ok) throw denyPlan(added);
  }),

  /** Counts from the next request on, of every account on the plan. */
  change: operatorProcedure.input(planSchema).mutation(async ({ ctx, input }): Promise<void> => {
    const changed = await updatePlan(
      ctx.deps.db,
      input.id,
      encodePlanTerms(input.terms),
      ctx.session.user.id,
    );
    if (!changed.ok) throw denyPlan(changed);
  }),

  remove: operatorProcedure
    .input(z.object({ id: planIdSchema }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const removed = await removePlan(ctx.deps.db, input.id, ctx.session.user.id);
      if (!removed.ok) throw denyRemoval(removed);
    }),
});

function toPlanRow(plan: Plan & { accounts: number }): PlanRow {
  return {
    ...decodePlanTerms(plan),
    id: plan.id,
    accounts: plan.accounts,
    isDefault: plan.id === DEFAULT_PLAN,
    createdAt: plan.createdAt.toISOString(),
  };
}

function denyPlan(denial: PutPlanDenial): TRPCError {
  switch (denial.reason) {
    case 'unknown_models':
      return deny('BAD_REQUEST', `Unknown model: ${denial.models.join(', ')}.`, {
        field: 'terms.allowedModels',
      });
    case 'plan_exists':
      return deny('BAD_REQUEST', 'A plan with this name already exists.', { field: 'id' });
    case 'unknown_plan':
      return notFound('plan');
  }
}

function denyRemoval(denial: RemovePlanDenial): TRPCError {
  switch (denial.reason) {
    case 'unknown_plan':
      return notFound('plan');
    case 'default_plan':
      return deny('BAD_REQUEST', 'This is the default plan. It cannot be deleted.');
    case 'plan_in_use':
      return deny(
        'BAD_REQUEST',
        `${denial.accounts} ${denial.accounts === 1 ? 'account is' : 'accounts are'} on it, such as ${denial.emails.join(', ')}. Move them to another plan first.`,
      );
  }
}
