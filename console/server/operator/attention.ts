import { findLastDays } from '@tollgate/core/requests/last-days';
import { computeDriftPpm, isDrifting } from '@tollgate/core/money/cost-drift';
import { readAttentionFacts } from '@tollgate/db/queries/operator/attention';
import { readProviderHealth, type ProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import { listProviders } from '@tollgate/db/queries/providers/providers';
import { listProviderFigures } from '@tollgate/db/queries/usage/providers/overview';
import type { Context } from '../context.ts';
import { readLedgerCheck } from './ledger-check.ts';

const HOUR_MS = 3_600_000;
const RECENT_DAYS = 7;
/** Failures of a provider in the last hour: at least this many, and this part of its attempts. */
const FAILING_FROM = 5;
const FAILING_PART = 0.2;
/** Items of one kind that have their own lines. */
const NAMED = 5;

type ModelKind = 'models_without_route' | 'models_without_price' | 'price_mismatches';

/** Something to act on. The page of each kind has its fix. */
export type AttentionItem =
  | { kind: 'provider_failing'; provider: string; calls: number; failures: number }
  | { kind: 'provider_message'; provider: string; text: string; at: string }
  | { kind: 'credentials_set_aside'; provider: string; setAside: number; credentials: number }
  | { kind: 'cost_drift'; provider: string; model: string; driftPpm: number }
  | { kind: ModelKind; models: string[] }
  | { kind: 'failed_jobs' | 'failed_emails' | 'refused_events' | 'open_disputes'; count: number }
  | { kind: 'ledger_violations'; rules: number }
  | { kind: 'ledger_check_failed' };

export interface AttentionView {
  items: AttentionItem[];
  /** Items of a kind that has more than fit. */
  more: number;
}

/** Finds what an operator should act on, the most urgent first. The state of replicas is not included: `replicas.list`. */
export async function readAttention({ deps, timeZone }: Context): Promise<AttentionView> {
  const { db, clock } = deps;
  const nowMs = clock.nowMs();
  const since = new Date(findLastDays({ days: RECENT_DAYS, timeZone, nowMs }).fromMs);
  const [facts, health, providers, figures, check] = await Promise.all([
    readAttentionFacts(db, since),
    readProviderHealth(db, new Date(nowMs - HOUR_MS)),
    listProviders(db),
    listProviderFigures(db, { from: since, to: new Date(nowMs) }),
    readLedgerCheck(deps),
  ]);
  const passedAt = new Map(providers.map(({ name, testPassedAt }) => [name, testPassedAt]));
  const known = health.filter(({ provider }) => passedAt.has(provider));
  const violated = check?.report?.violations.length ?? 0;
  const groups: AttentionItem[][] = [
    violated > 0 ? [{ kind: 'ledger_violations', rules: violated }] : [],
    check?.state === 'failed' ? [{ kind: 'ledger_check_failed' }] : [],
    known.filter(isFailing).map(({ provider, calls, failures }) => {
      return { kind: 'provider_failing', provider, calls, failures };
    }),
    known.flatMap((row): AttentionItem[] => {
      const { provider, lastMessage } = row;
      const testedAt = passedAt.get(provider) ?? null;
      if (lastMessage === null || (testedAt !== null && testedAt > lastMessage.at)) return [];
      return [
        { kind: 'provider_message', provider, text: lastMessage.text, at: lastMessage.at.toISOString() },
      ];
    }),
    facts.setAside.map((row) => ({ kind: 'credentials_set_aside', ...row })),
    modelItem('models_without_route', facts.modelsWithoutRoute),
    modelItem('models_without_price', facts.modelsWithoutPrice),
    modelItem('price_mismatches', facts.mismatchedModels),
    figures.flatMap((row): AttentionItem[] => {
      const driftPpm = computeDriftPpm(row);
      if (driftPpm === null || !isDrifting(driftPpm)) return [];
      return [{ kind: 'cost_drift', provider: row.provider, model: row.model, driftPpm }];
    }),
    countItem('open_disputes', facts.openDisputes),
    countItem('refused_events', facts.refusedEvents),
    countItem('failed_jobs', facts.failedJobs),
    countItem('failed_emails', facts.failedEmails),
  ];
  return {
    items: groups.flatMap((items) => items.slice(0, NAMED)),
    more: groups.reduce((sum, items) => sum + Math.max(0, items.length - NAMED), 0),
  };
}

function isFailing({ calls, failures }: ProviderHealth): boolean {
  return failures >= FAILING_FROM && failures >= calls * FAILING_PART;
}

function modelItem(kind: ModelKind, models: string[]): AttentionItem[] {
  return models.length > 0 ? [{ kind, models }] : [];
}

function countItem(
  kind: 'failed_jobs' | 'failed_emails' | 'refused_events' | 'open_disputes',
  count: number,
): AttentionItem[] {
  return count > 0 ? [{ kind, count }] : [];
}
