import { formatUsd } from '@tollgate/core/money/money';
import { formatMultiplier } from '@tollgate/core/money/multiplier';
import type { Plan, PutPlanDenial } from '@tollgate/db/queries/plans/plans';
import { Failure } from '../../failure.ts';
import { iso, usd, whole, yesNo } from '../../output/format.ts';
import { formatFacts } from '../../output/table.ts';

export function planJson(plan: Plan) {
  return {
    name: plan.id,
    models: plan.allowedModels,
    rpm: plan.rpm,
    tpm: plan.tpm,
    priceMultiplier: formatMultiplier(plan.pricePpm),
    includedCreditUsd: formatUsd(plan.includedCreditNanoUsd),
    prepaid: plan.isPrepaid,
    unknownMembers: unknownRule(plan),
    createdAt: iso(plan.createdAt),
  };
}

export function planText(plan: Plan): string {
  return formatFacts([
    ['Plan', plan.id],
    ['Models', plan.allowedModels?.join(', ') ?? 'all'],
    ['Requests per minute', limitText(plan.rpm)],
    ['Tokens per minute', limitText(plan.tpm)],
    ['Price', `× ${formatMultiplier(plan.pricePpm)}`],
    ['Included credit', usd(plan.includedCreditNanoUsd)],
    ['Prepaid', plan.isPrepaid ? 'yes' : 'no (usage is recorded but not charged)'],
    ['Unknown request fields', unknownText(plan)],
  ]);
}

function unknownRule({ forwardsUnknown }: Plan): 'forward' | 'drop' | 'auto' {
  if (forwardsUnknown === null) return 'auto';
  return forwardsUnknown ? 'forward' : 'drop';
}

function unknownText(plan: Plan): string {
  const rule = unknownRule(plan);
  if (rule !== 'auto') return rule;
  return plan.isPrepaid && plan.pricePpm > 0 ? 'auto: dropped' : 'auto: forwarded';
}

const limitText = (limit: number | null): string => (limit === null ? 'no limit' : whole(limit));

/** Formats a plan as a row of `plan list`. */
export function planCells(plan: Plan & { accounts: number }): string[] {
  return [
    plan.id,
    plan.allowedModels === null ? 'all' : String(plan.allowedModels.length),
    plan.rpm === null ? '-' : whole(plan.rpm),
    plan.tpm === null ? '-' : whole(plan.tpm),
    formatMultiplier(plan.pricePpm),
    usd(plan.includedCreditNanoUsd),
    yesNo(plan.isPrepaid),
    whole(plan.accounts),
  ];
}

/** Explains why a plan was not added or changed. */
export function planDenied(name: string, denial: PutPlanDenial): Failure {
  return new Failure(denial.reason, sentenceOf(name, denial));
}

export function unknownPlan(name: string): Failure {
  return planDenied(name, { reason: 'unknown_plan' });
}

function sentenceOf(name: string, denial: PutPlanDenial): string {
  switch (denial.reason) {
    case 'unknown_models':
      return `Unknown models: ${denial.models.join(', ')}. List models with \`tollgate model list\`.`;
    case 'plan_exists':
      return `Plan ${name} already exists. Change it with \`tollgate plan update\`.`;
    case 'unknown_plan':
      return `Plan ${name} does not exist. List plans with \`tollgate plan list\`.`;
  }
}
