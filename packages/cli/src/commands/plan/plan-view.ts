import { formatUsd } from '@tollgate/core/money/money';
import { formatMultiplier } from '@tollgate/core/money/multiplier';
import type { PlanTermsField } from '@tollgate/core/money/plan-terms';
import type { Plan } from '@tollgate/db/queries/plans/plan-terms';
import type { PutPlanDenial } from '@tollgate/db/queries/plans/plans';
import { Failure } from '../../failure.ts';
import { iso, limitText, usd, whole, yesNo } from '../../output/format.ts';
import { formatFacts, formatTable } from '../../output/table.ts';

interface TermView {
  /** Its member in JSON, and the value there. */
  member: string;
  value: (plan: Plan) => unknown;
  /** Its line in text. */
  label: string;
  text: (plan: Plan) => string;
  /** Its column in `plan list`; absent: none. */
  column?: { title: string; align?: 'right'; cell: (plan: Plan) => string };
}

/** How each term is shown. */
const TERM_VIEWS: Record<PlanTermsField, TermView> = {
  allowedModels: {
    member: 'models',
    value: (plan) => plan.allowedModels,
    label: 'Models',
    text: (plan) => plan.allowedModels?.join(', ') ?? 'all',
    column: {
      title: 'MODELS',
      align: 'right',
      cell: (plan) => (plan.allowedModels === null ? 'all' : String(plan.allowedModels.length)),
    },
  },
  rpm: {
    member: 'rpm',
    value: (plan) => plan.rpm,
    label: 'Requests per minute',
    text: (plan) => limitText(plan.rpm),
    column: { title: 'RPM', align: 'right', cell: (plan) => limitCell(plan.rpm) },
  },
  tpm: {
    member: 'tpm',
    value: (plan) => plan.tpm,
    label: 'Tokens per minute',
    text: (plan) => limitText(plan.tpm),
    column: { title: 'TPM', align: 'right', cell: (plan) => limitCell(plan.tpm) },
  },
  priceMultiplier: {
    member: 'priceMultiplier',
    value: (plan) => formatMultiplier(plan.pricePpm),
    label: 'Price',
    text: (plan) => `× ${formatMultiplier(plan.pricePpm)}`,
    column: { title: 'PRICE ×', align: 'right', cell: (plan) => formatMultiplier(plan.pricePpm) },
  },
  ownCredentialFee: {
    member: 'ownCredentialFee',
    value: (plan) => formatMultiplier(plan.ownCredentialPpm),
    label: 'Fee with own credential',
    text: (plan) => `× ${formatMultiplier(plan.ownCredentialPpm)}`,
  },
  includedCreditUsd: {
    member: 'includedCreditUsd',
    value: (plan) => formatUsd(plan.includedCreditNanoUsd),
    label: 'Included credit',
    text: (plan) => usd(plan.includedCreditNanoUsd),
    column: { title: 'INCLUDED', align: 'right', cell: (plan) => usd(plan.includedCreditNanoUsd) },
  },
  isPrepaid: {
    member: 'prepaid',
    value: (plan) => plan.isPrepaid,
    label: 'Prepaid',
    text: (plan) => (plan.isPrepaid ? 'yes' : 'no (usage is recorded but not charged)'),
    column: { title: 'PREPAID', cell: (plan) => yesNo(plan.isPrepaid) },
  },
  forwardsUnknown: {
    member: 'unknownMembers',
    value: unknownRule,
    label: 'Unknown request fields',
    text: unknownText,
  },
  countsCacheReads: {
    member: 'tpmCacheReads',
    value: cacheRule,
    label: 'Cached input in tokens per minute',
    text: (plan) => CACHE_TEXTS[cacheRule(plan)],
  },
};

const VIEWS = Object.values(TERM_VIEWS);

export function planJson(plan: Plan) {
  return {
    name: plan.id,
    ...Object.fromEntries(VIEWS.map(({ member, value }) => [member, value(plan)])),
    createdAt: iso(plan.createdAt),
  };
}

export function planText(plan: Plan): string {
  return formatFacts([['Plan', plan.id], ...VIEWS.map(({ label, text }) => [label, text(plan)] as const)]);
}

/** Formats plans as the table of `plan list`. */
export function planTable(plans: readonly (Plan & { accounts: number })[]): string {
  const columns = VIEWS.flatMap(({ column }) => (column === undefined ? [] : [column]));
  return formatTable(
    [{ title: 'PLAN' }, ...columns, { title: 'ACCOUNTS', align: 'right' }],
    plans.map((plan) => [plan.id, ...columns.map(({ cell }) => cell(plan)), whole(plan.accounts)]),
  );
}

function unknownRule({ forwardsUnknown }: Plan): 'forward' | 'drop' | 'auto' {
  if (forwardsUnknown === null) return 'auto';
  return forwardsUnknown ? 'forward' : 'drop';
}

type CacheRule = 'count' | 'skip' | 'auto';
const CACHE_TEXTS: Record<CacheRule, string> = {
  count: 'counted',
  skip: 'not counted',
  auto: 'auto: not counted for Claude models',
};

function cacheRule({ countsCacheReads }: Plan): CacheRule {
  if (countsCacheReads === null) return 'auto';
  return countsCacheReads ? 'count' : 'skip';
}

function unknownText(plan: Plan): string {
  const rule = unknownRule(plan);
  if (rule !== 'auto') return rule;
  return plan.isPrepaid && plan.pricePpm > 0 ? 'auto: dropped' : 'auto: forwarded';
}

function limitCell(limit: number | null): string {
  return limit === null ? '-' : whole(limit);
}

/** Explains why a plan was not added or changed. */
export function planDenied(name: string, denial: PutPlanDenial): Failure {
  return new Failure(denial.reason, getSentence(name, denial));
}

export function unknownPlan(name: string): Failure {
  return planDenied(name, { reason: 'unknown_plan' });
}

function getSentence(name: string, denial: PutPlanDenial): string {
  switch (denial.reason) {
    case 'unknown_models':
      return `Unknown models: ${denial.models.join(', ')}. List models with \`tollgate model list\`.`;
    case 'plan_exists':
      return `Plan ${name} already exists. Change it with \`tollgate plan update\`.`;
    case 'unknown_plan':
      return `Plan ${name} does not exist. List plans with \`tollgate plan list\`.`;
  }
}
