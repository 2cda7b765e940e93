import type { MemberRule, MemberRules } from './member-rule.ts';
import { objectOf } from './member-rule.ts';

const CHOOSES_PROVIDER = 'it chooses the provider, and with it the price';
const CHOOSES_MODEL = 'it names another model';

/** Rejections of members that choose a model or a price at some provider: known everywhere, whatever the provider. */
export const CHOOSING_MEMBERS: MemberRules = {
  models: { fate: 'checked', shape: 'names' },
  fallbacks: {
    fate: 'checked',
    shape: 'requests',
    members: {
      ...objectMembers('thinking output_config'),
      speed: { fate: 'priced', need: { kind: 'speed', included: ['standard'] } },
    },
  },
  route: { fate: 'rejected', because: CHOOSES_MODEL },
  preset: { fate: 'rejected', because: 'it stands for settings that the gateway cannot see' },
  provider: { fate: 'rejected', because: CHOOSES_PROVIDER },
  providers: { fate: 'rejected', because: CHOOSES_PROVIDER },
  provider_options: { fate: 'rejected', because: CHOOSES_PROVIDER },
  providerOptions: { fate: 'rejected', because: CHOOSES_PROVIDER },
  fallback_models: { fate: 'checked', shape: 'names' },
  draft_model: { fate: 'rejected', because: CHOOSES_MODEL },
  safety_model: { fate: 'rejected', because: CHOOSES_MODEL },
  compound_custom: { fate: 'rejected', because: CHOOSES_MODEL },
  deferred: {
    fate: 'rejected',
    because: 'the response would be billed after the request has ended',
    unless: [false],
  },
  data_sources: { fate: 'rejected', because: 'the provider bills searches apart' },
};

/** What the responses of a standard tier are priced as. */
const STANDARD_TIERS = ['default', 'standard', 'standard_only', 'on_demand'] as const;

/** @param pinned what `auto` is sent as where money is charged; null: the provider has one tier for it */
export function serviceTier(pinned: string | null): MemberRule {
  return {
    fate: 'priced',
    need: {
      kind: 'service_tier',
      included: STANDARD_TIERS,
      ...(pinned === null ? {} : { pinned: { auto: pinned } }),
    },
  };
}

/** Members that choose the terms of a request, known in every dialect. */
export const TERM_MEMBERS: MemberRules = {
  speed: { fate: 'priced', need: { kind: 'speed', included: ['standard'] } },
  inference_geo: { fate: 'priced', need: { kind: 'inference_geo', included: ['global'] } },
};

export const REASONING_OBJECT = objectOf(
  'effort max_tokens enabled exclude summary generate_summary context encrypted',
);

function objectMembers(names: string): MemberRules {
  return Object.fromEntries(names.split(' ').map((name) => [name, { fate: 'plain' } as const]));
}
