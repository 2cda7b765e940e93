import { STANDARD_TIERS } from '@tollgate/core/money/rates/rate-card';
import { objectRule, opaque, type MemberRule, type MemberRules } from './member-rule.ts';

const CHOOSES_PROVIDER = 'it selects the provider, and with it the price';
const CHOOSES_MODEL = 'it selects another model';

/** Members that select a model or a price at some provider: rejected or checked for every provider. */
export const CHOOSING_MEMBERS: MemberRules = {
  models: { handling: 'checked', shape: 'names' },
  fallbacks: {
    handling: 'checked',
    shape: 'requests',
    members: {
      ...objectMembers('thinking output_config'),
      speed: { handling: 'priced', need: { kind: 'speed', included: ['standard'] } },
    },
  },
  route: { handling: 'rejected', because: CHOOSES_MODEL },
  preset: { handling: 'rejected', because: 'it refers to settings that the gateway cannot read' },
  provider: { handling: 'rejected', because: CHOOSES_PROVIDER },
  providers: { handling: 'rejected', because: CHOOSES_PROVIDER },
  provider_options: { handling: 'rejected', because: CHOOSES_PROVIDER },
  providerOptions: { handling: 'rejected', because: CHOOSES_PROVIDER },
  fallback_models: { handling: 'checked', shape: 'names' },
  draft_model: { handling: 'rejected', because: CHOOSES_MODEL },
  safety_model: { handling: 'rejected', because: CHOOSES_MODEL },
  compound_custom: { handling: 'rejected', because: CHOOSES_MODEL },
  deferred: {
    handling: 'rejected',
    because: 'the response would be billed after the request has ended',
    unless: [false],
  },
  data_sources: { handling: 'rejected', because: 'the provider bills searches separately' },
};

/**
 * @param pinned what `auto` is sent as if money is charged; null: the provider has one tier for it
 * @param isDefaultOpen true: a request without a tier may be served in a more expensive one, so it is sent `pinned` as well
 */
export function serviceTier(pinned: string | null, isDefaultOpen = false): MemberRule {
  return {
    handling: 'priced',
    need: {
      kind: 'service_tier',
      included: STANDARD_TIERS,
      ...(pinned === null ? {} : { pinned: { auto: pinned } }),
      ...(pinned !== null && isDefaultOpen && { whenAbsent: pinned }),
    },
  };
}

/** Members that choose the terms of a request, known in every dialect. */
export const TERM_MEMBERS: MemberRules = {
  speed: { handling: 'priced', need: { kind: 'speed', included: ['standard'] } },
  inference_geo: { handling: 'priced', need: { kind: 'inference_geo', included: ['global'] } },
};

export const REASONING_OBJECT = objectRule(
  'effort max_tokens enabled exclude summary generate_summary context encrypted',
);

/** The conversation. Stored ids and tools in its items are found when the request is parsed. */
export const CONVERSATION: MemberRules = opaque(
  'messages system instructions',
  'it is the conversation; only stored ids and tools in its parts are checked',
);

/** A schema of the caller, as a member of an object. */
export const CALLERS_FORMAT: MemberRules = opaque('format', "it contains the caller's schema");

/** Schemas and notes of the caller, in every dialect. */
export const CALLERS_DATA: MemberRules = {
  ...opaque('response_format', "it contains the caller's schema"),
  ...opaque('metadata client_metadata', "it contains the caller's notes"),
};

/** Moderation of OpenAI is free: https://platform.openai.com/docs/guides/moderation */
export const MODERATION: MemberRule = objectRule('enabled categories mode', {
  model: {
    handling: 'rejected',
    because: 'it may select another model',
    unless: [
      'omni-moderation-latest',
      'omni-moderation-2024-09-26',
      'text-moderation-latest',
      'text-moderation-stable',
    ],
  },
});

function objectMembers(names: string): MemberRules {
  return Object.fromEntries(names.split(' ').map((name) => [name, { handling: 'plain' } as const]));
}
