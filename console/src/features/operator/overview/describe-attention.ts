import { formatPlural } from '../../../lib/format/count.ts';
import { paths } from '../../../lib/paths.ts';
import { formatDrift } from '../costs/format-drift.ts';
import { joinBreakers } from '../breakers/join-breakers.ts';
import { findWarnings } from '../system/find-warnings.ts';
import type { AttentionItem, OperatorReplicas } from '../operator-types.ts';

type Target =
  | { to: typeof paths.operatorModel; params: { modelId: string } }
  | {
      to: typeof paths.operatorPayments;
      search: { tab: 'events'; outcome: 'refused' } | { state: 'disputed' };
    }
  | { to: typeof paths.operatorMails; search: { state: 'given_up' } }
  | {
      to:
        | typeof paths.operatorProviders
        | typeof paths.operatorCosts
        | typeof paths.operatorModels
        | typeof paths.operatorSystem;
    };

/** A line of what needs attention. */
export interface AttentionLine {
  key: string;
  tone: 'bad' | 'warn';
  text: string;
  /** Where it is fixed. */
  target: Target;
  /** What the link says: verb and object. */
  action: string;
}

const SYSTEM = { target: { to: paths.operatorSystem }, action: 'Open system' } as const;
const PROVIDERS = { target: { to: paths.operatorProviders }, action: 'Open providers' } as const;
const MODELS = { target: { to: paths.operatorModels }, action: 'Open models' } as const;
const MODEL_TROUBLES = {
  models_without_route: 'no route, so requests fail.',
  models_without_price: 'no price, so requests fail.',
  price_mismatches: 'a provider served something other than what is priced.',
};
const NAMED_MODELS = 3;
const openModel = (modelId: string) => ({
  target: { to: paths.operatorModel, params: { modelId } } as const,
  action: 'Open model',
});

/** What the state of the replicas requires; open circuit breakers first. */
export function describeReplicas(state: OperatorReplicas): AttentionLine[] {
  const silent = state.replicas.filter(({ report }) => report === null).length;
  const isDown = state.replicas.length === silent;
  const open = joinBreakers(state.replicas).filter((route) => route.state !== 'closed');
  return [
    ...(isDown
      ? [
          {
            key: 'no replica',
            tone: 'bad' as const,
            text: 'No API replica responds. Requests fail.',
            ...SYSTEM,
          },
        ]
      : []),
    ...(!isDown && silent > 0
      ? [
          {
            key: 'silent replicas',
            tone: 'warn' as const,
            text: `${formatPlural(silent, 'API replica')} not responding.`,
            ...SYSTEM,
          },
        ]
      : []),
    ...open.map((route) => ({
      key: `breaker ${route.routeId} ${route.credential ?? ''} ${route.counts}`,
      tone: 'bad' as const,
      text: `${route.modelId}: the route to ${route.providerName} is paused after repeated failures.`,
      ...openModel(route.modelId),
    })),
    ...findWarnings(state).map((text) => ({ key: text, tone: 'warn' as const, text, ...SYSTEM })),
  ];
}

export function describeItem(item: AttentionItem): AttentionLine {
  const key = JSON.stringify(item);
  switch (item.kind) {
    case 'provider_failing': {
      const text = `${item.provider}: ${item.failures} of ${formatPlural(item.calls, 'attempt')} failed in the last hour.`;
      return { key, tone: 'bad', text, ...PROVIDERS };
    }
    case 'provider_message':
      return { key, tone: 'bad', text: `${item.provider} says: ${item.text}`, ...PROVIDERS };
    case 'credentials_set_aside': {
      const text = `${item.provider}: ${item.setAside} of ${formatPlural(item.credentials, 'credential')} set aside, because the provider refused them.`;
      return { key, tone: item.setAside < item.credentials ? 'warn' : 'bad', text, ...PROVIDERS };
    }
    case 'cost_drift': {
      const text = `${item.model} at ${item.provider}: reported cost differs from your rates by ${formatDrift(item.driftPpm)} in 7 days.`;
      return { key, tone: 'warn', text, target: { to: paths.operatorCosts }, action: 'Open provider costs' };
    }
    case 'models_without_route':
    case 'models_without_price':
    case 'price_mismatches': {
      const text = `${nameModels(item.models)}: ${MODEL_TROUBLES[item.kind]}`;
      const [only] = item.models;
      const where = item.models.length === 1 && only !== undefined ? openModel(only) : MODELS;
      return { key, tone: 'warn', text, ...where };
    }
    case 'failed_jobs':
      return { key, tone: 'warn', text: `${formatPlural(item.count, 'background job')} failed.`, ...SYSTEM };
    case 'failed_emails': {
      const target = { to: paths.operatorMails, search: { state: 'given_up' } } as const;
      const text = `${formatPlural(item.count, 'email')} not delivered in the last 7 days.`;
      return { key, tone: 'warn', text, target, action: 'Open emails' };
    }
    case 'refused_events': {
      const target = { to: paths.operatorPayments, search: { tab: 'events', outcome: 'refused' } } as const;
      const text = `${formatPlural(item.count, 'webhook event')} refused in the last 7 days.`;
      return { key, tone: 'warn', text, target, action: 'Open events' };
    }
    case 'open_disputes': {
      const target = { to: paths.operatorPayments, search: { state: 'disputed' } } as const;
      return {
        key,
        tone: 'bad',
        text: `${formatPlural(item.count, 'payment')} disputed.`,
        target,
        action: 'Open payments',
      };
    }
    case 'ledger_violations': {
      const text = `The last ledger check found violations of ${formatPlural(item.rules, 'rule')}.`;
      return { key, tone: 'bad', text, ...SYSTEM };
    }
    case 'ledger_check_failed':
      return { key, tone: 'warn', text: 'The last ledger check could not finish.', ...SYSTEM };
  }
}

function nameModels(models: readonly string[]): string {
  const named = models.slice(0, NAMED_MODELS).join(', ');
  const more = models.length - NAMED_MODELS;
  return more > 0 ? `${named} and ${formatPlural(more, 'more model')}` : named;
}
