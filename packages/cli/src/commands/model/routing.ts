import {
  DEFAULT_RETRY_BUDGET_MS,
  DEFAULT_ROUTING,
  FIRST_TOKEN_MS,
  INPUT_TOKENS_PER_SECOND,
  MAX_FIRST_TOKEN_MS,
  MAX_HEALTH_CHECK_S,
  MAX_RETRY_BUDGET_MS,
  MIN_HEALTH_CHECK_S,
  MIN_HEDGE_MS,
  REASONING_FIRST_TOKEN_MS,
  ROUTING_FIELDS,
  ROUTING_STRATEGIES,
  type RoutingPolicy,
} from '@tollgate/core/models/routing-policy';
import { changeRoutingPolicy } from '@tollgate/db/queries/models/routing-policy';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { whole } from '../../output/format.ts';
import { modelNotFound } from './model-view.ts';

const STRATEGIES = ROUTING_STRATEGIES.join(', ');

/** `default` removes the setting. */
function orDefault(bounds: { min: number; max: number }) {
  return z.union([z.literal('default').transform(() => null), integerOption(bounds)]);
}

/** `off` removes the setting. */
function orOff(bounds: { min: number; max: number }) {
  return z.union([z.literal('off').transform(() => null), integerOption(bounds)]);
}

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on');

const POLICY_OPTIONS = {
  strategy: z.enum(ROUTING_STRATEGIES, { error: `must be one of ${STRATEGIES}` }).optional(),
  firstTokenTimeoutMs: orDefault({ min: 1, max: MAX_FIRST_TOKEN_MS }).optional(),
  hedgeAfterMs: orOff({ min: MIN_HEDGE_MS, max: MAX_FIRST_TOKEN_MS }).optional(),
  retryBudgetMs: orDefault({ min: 0, max: MAX_RETRY_BUDGET_MS }).optional(),
  contentPolicyFailover: onOrOff.optional(),
  continueStreams: onOrOff.optional(),
  healthCheckIntervalS: orOff({ min: MIN_HEALTH_CHECK_S, max: MAX_HEALTH_CHECK_S }).optional(),
} satisfies Record<keyof RoutingPolicy, z.ZodType>;

const inputSchema = z.object({ id: z.string(), ...POLICY_OPTIONS });

export function addModelRouting(model: Command): void {
  addCommand(model, {
    usage: 'routing <ID>',
    summary: 'Show or set how the routes of a model are chosen',
    positional: ['id'],
    options: [
      {
        flags: '--strategy <name>',
        about: `order of routes with the same priority: ${STRATEGIES} (default: ${DEFAULT_ROUTING.strategy})`,
      },
      {
        flags: '--first-token-timeout-ms <ms>',
        about: `time to the first text, tool call or reasoning of a stream, or "default" (${whole(REASONING_FIRST_TOKEN_MS)} for models that reason; else ${whole(FIRST_TOKEN_MS)}, and a second more for each ${whole(INPUT_TOKENS_PER_SECOND)} input tokens)`,
      },
      {
        flags: '--hedge-after-ms <ms>',
        about:
          'time without text after which another route is started as well; the first text wins; or "off" (default)',
      },
      {
        flags: '--retry-budget-ms <ms>',
        about: `longest wait for a second attempt at the same route after a single 429 or 500, or "default" (${whole(DEFAULT_RETRY_BUDGET_MS)}); 0: none`,
      },
      {
        flags: '--content-policy-failover <switch>',
        about: 'try another route if a provider refuses the content: on or off (default: off)',
      },
      {
        flags: '--continue-streams <switch>',
        about: 'continue a stream that breaks off with another attempt: on or off (default: off)',
      },
      {
        flags: '--health-check-interval-s <seconds>',
        about:
          'how often routes that have not answered a request for that long get a small one, which costs money; or "off" (default)',
      },
    ],
    input: inputSchema,
    examples: [
      'tollgate model routing gpt-5-mini',
      'tollgate model routing gpt-5-mini --strategy lowest-latency',
      'tollgate model routing gpt-5-mini --first-token-timeout-ms 8000 --retry-budget-ms 1000',
      'tollgate model routing gpt-5-mini --first-token-timeout-ms default --content-policy-failover on',
      'tollgate model routing gpt-5-mini --continue-streams on',
      'tollgate model routing gpt-5-mini --health-check-interval-s 60',
    ],
    run: async ({ id, ...given }, { env }) => {
      const change: Partial<RoutingPolicy> = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      );
      const policy = await withInstallation(env, ({ db }) =>
        changeRoutingPolicy(db, { modelId: id, policy: change, actorUserId: null }),
      );
      if (policy === null) throw modelNotFound(id);
      return { json: { id, ...policy }, text: getText(id, policy) };
    },
  });
}

const showTime = (ms: number | null) => (ms === null ? 'default' : `${whole(ms)} ms`);
const showSwitch = (isOn: boolean) => (isOn ? 'on' : 'off');

/** How each field is shown. */
const SHOWN: Record<keyof RoutingPolicy, (policy: RoutingPolicy) => [name: string, value: string]> = {
  strategy: ({ strategy }) => ['strategy', strategy],
  firstTokenTimeoutMs: ({ firstTokenTimeoutMs: ms }) => ['first token timeout', showTime(ms)],
  hedgeAfterMs: ({ hedgeAfterMs: ms }) => ['hedge after', ms === null ? 'off' : showTime(ms)],
  retryBudgetMs: ({ retryBudgetMs: ms }) => ['retry budget', showTime(ms)],
  contentPolicyFailover: (policy) => ['content policy failover', showSwitch(policy.contentPolicyFailover)],
  healthCheckIntervalS: ({ healthCheckIntervalS: seconds }) => [
    'health check interval',
    seconds === null ? 'off' : `${whole(seconds)} s`,
  ],
  continueStreams: ({ continueStreams }) => ['continue streams', showSwitch(continueStreams)],
};
const NAME_WIDTH = 25;

function getText(id: string, policy: RoutingPolicy): string {
  const lines = ROUTING_FIELDS.map((field) => {
    const [name, value] = SHOWN[field](policy);
    return `  ${name.padEnd(NAME_WIDTH)}${value}`;
  });
  return [`Routing of ${id}:`, ...lines].join('\n');
}
