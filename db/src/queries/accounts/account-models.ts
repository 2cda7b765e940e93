import { ModelSet } from '@tollgate/core/models/model-pattern';
import type { ChargingTerms } from '@tollgate/core/money/plan-price';
import { eq } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';
import { listModels, type ModelOverview } from '../models/models.ts';

/** Whether an account can call a model now, or why not. */
export type ModelAvailability = 'available' | 'not_in_plan' | 'no_price' | 'no_route';

export interface AccountModel extends ModelOverview {
  availability: ModelAvailability;
}

export interface AccountModels {
  models: AccountModel[];
  plan: ChargingTerms;
}

/** Every model of the installation with the account's terms, by id; null if there is no such account. */
export async function listAccountModels(
  db: Connection,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<AccountModels | null> {
  const [plan] = await db.drizzle
    .select({ allowedModels: plans.allowedModels, pricePpm: plans.pricePpm, isPrepaid: plans.isPrepaid })
    .from(accounts)
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .where(eq(accounts.id, accountId));
  if (plan === undefined) return null;
  const allowed = plan.allowedModels === null ? null : new ModelSet(plan.allowedModels);
  const models = await listModels(db, new Date(nowMs));
  return {
    plan: { pricePpm: plan.pricePpm, isPrepaid: plan.isPrepaid },
    models: models.map((model) => ({
      ...model,
      availability: getAvailability(model, allowed?.has(model.id) ?? true),
    })),
  };
}

function getAvailability(model: ModelOverview, isInPlan: boolean): ModelAvailability {
  if (!isInPlan) return 'not_in_plan';
  if (model.routes === 0) return 'no_route';
  return model.prices === null ? 'no_price' : 'available';
}
