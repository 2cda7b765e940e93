import { and, asc, count, eq } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { plans } from '../../schema/plans.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { findUnknownModels } from '../models/unknown-models.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';
import { grantIncludedCredit } from '../ledger/grant-credit.ts';
import { decodePlanTerms, type Plan, type PlanTerms } from './plan-terms.ts';

/** The plan of a new account: the default of the column `accounts.plan_id`. */
export const DEFAULT_PLAN = 'free';
/** The plan of an operator's own account: no limits, and no balance is charged. An operator may have removed it. */
export const OPERATOR_PLAN = 'internal';

export type PutPlanDenial =
  | { reason: 'unknown_models'; models: string[] }
  | { reason: 'plan_exists' | 'unknown_plan' };
type PutPlanResult = { ok: true; plan: Plan } | ({ ok: false } & PutPlanDenial);

/**
 * @param input.id its name: lower-case letters, digits, dots, dashes and underscores, at most 63
 * @param actorUserId null: the command line
 */
export async function addPlan(
  db: Connection,
  input: { id: string } & Partial<PlanTerms>,
  actorUserId: string | null = null,
): Promise<PutPlanResult> {
  return inTransaction(db, async (tx) => {
    const unknown = await findUnknownModels(tx, input.allowedModels);
    if (unknown.length > 0) return { ok: false, reason: 'unknown_models', models: unknown };
    const [plan] = await tx.drizzle.insert(plans).values(input).onConflictDoNothing().returning();
    if (plan === undefined) return { ok: false, reason: 'plan_exists' };
    await recordAudit(tx, {
      actorUserId,
      action: 'plan.add',
      subject: plan.id,
      detail: { ...decodePlanTerms(plan) },
    });
    return { ok: true, plan };
  });
}

/** Changes the terms that are named; a trigger notifies every replica. */
export async function updatePlan(
  db: Connection,
  id: string,
  terms: Partial<PlanTerms>,
  actorUserId: string | null = null,
): Promise<PutPlanResult> {
  return inTransaction(db, async (tx) => {
    const unknown = await findUnknownModels(tx, terms.allowedModels);
    if (unknown.length > 0) return { ok: false, reason: 'unknown_models', models: unknown };
    const [stored] = await tx.drizzle.select().from(plans).where(eq(plans.id, id)).for('update');
    const [plan] = await tx.drizzle.update(plans).set(terms).where(eq(plans.id, id)).returning();
    if (stored === undefined || plan === undefined) return { ok: false, reason: 'unknown_plan' };
    await recordAudit(tx, {
      actorUserId,
      action: 'plan.change',
      subject: id,
      detail: describeChange(decodePlanTerms(stored), { ...decodePlanTerms(plan) }),
    });
    return { ok: true, plan };
  });
}

export type RemovePlanDenial =
  | { reason: 'unknown_plan' | 'default_plan' }
  /** `emails`: the owners of some of the accounts. */
  | { reason: 'plan_in_use'; accounts: number; emails: string[] };

const EMAILS_SHOWN = 5;

/** Removes a plan that no account is on and that is not the default plan. */
export async function removePlan(
  db: Connection,
  id: string,
  actorUserId: string | null = null,
): Promise<{ ok: true } | ({ ok: false } & RemovePlanDenial)> {
  if (id === DEFAULT_PLAN) return { ok: false, reason: 'default_plan' };
  return inTransaction(db, async (tx) => {
    // The lock keeps accounts from joining the plan during the check.
    const [plan] = await tx.drizzle
      .select({ id: plans.id })
      .from(plans)
      .where(eq(plans.id, id))
      .for('update');
    if (plan === undefined) return { ok: false, reason: 'unknown_plan' };
    const onIt = await tx.drizzle.$count(accounts, eq(accounts.planId, id));
    if (onIt > 0)
      return { ok: false, reason: 'plan_in_use', accounts: onIt, emails: await findOwners(tx, id) };
    await tx.drizzle.delete(plans).where(eq(plans.id, id));
    await recordAudit(tx, { actorUserId, action: 'plan.remove', subject: id });
    return { ok: true };
  });
}

/** By name, with the number of accounts on each. */
export async function listPlans(db: Connection): Promise<(Plan & { accounts: number })[]> {
  const rows = await db.drizzle
    .select({ plan: plans, accounts: count(accounts.id) })
    .from(plans)
    .leftJoin(accounts, eq(accounts.planId, plans.id))
    .groupBy(plans.id)
    .orderBy(asc(plans.id));
  return rows.map((row) => ({ ...row.plan, accounts: row.accounts }));
}

/**
 * Puts an account on a plan, from its next request on, and gives it the plan's credit if it never had it.
 * @param input.actorUserId null: the command line
 * @returns `grantedNanoUsd`: the credit that came with it
 */
export async function setAccountPlan(
  db: Connection,
  input: { accountId: string; planId: string; actorUserId: string | null },
): Promise<{ ok: true; changed: boolean; grantedNanoUsd: bigint } | { ok: false; reason: 'unknown_plan' }> {
  const { accountId, planId, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    if (!(await holdPlan(tx, planId))) return { ok: false, reason: 'unknown_plan' };
    const [before] = await tx.drizzle
      .select({ planId: accounts.planId })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for('no key update');
    if (before === undefined) throw new Error(`There is no account ${accountId}`);
    const changed = before.planId !== planId;
    if (changed) {
      await tx.drizzle.update(accounts).set({ planId }).where(eq(accounts.id, accountId));
      const detail = { from: before.planId, to: planId };
      await recordAudit(tx, { actorUserId, accountId, action: 'account.plan', subject: accountId, detail });
    }
    return { ok: true, changed, grantedNanoUsd: await grantIncludedCredit(tx, { accountId }) };
  });
}

/** Keeps a plan from being removed until the transaction ends. @returns false if there is no plan of that name */
export async function holdPlan(tx: Connection, id: string): Promise<boolean> {
  const held = await tx.drizzle.select({ id: plans.id }).from(plans).where(eq(plans.id, id)).for('key share');
  return held.length > 0;
}

async function findOwners(tx: Connection, planId: string): Promise<string[]> {
  const owners = await tx.drizzle
    .select({ email: users.email })
    .from(accounts)
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(accounts.planId, planId))
    .orderBy(asc(accounts.createdAt), asc(users.email))
    .limit(EMAILS_SHOWN);
  return owners.map((owner) => owner.email);
}
