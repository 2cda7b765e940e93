import { addRoute, type AddRouteDenial, type NewRoute } from '@tollgate/db/queries/catalogue/routes';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { multiplierOption } from '../../options/multiplier-option.ts';
import { servedNamesOption } from '../../options/served-names-option.ts';
import { routeJson } from './route-view.ts';

const inputSchema = z.object({
  model: z.string(),
  provider: z.string(),
  upstreamModel: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .optional(),
  priority: integerOption({ min: -1_000, max: 1_000 }).optional(),
  weight: integerOption({ min: 1, max: 1_000_000 }).optional(),
  servedNames: servedNamesOption.optional(),
  context: integerOption({ min: 1, max: 2_147_483_647 }).optional(),
  costMultiplier: multiplierOption.optional(),
});

export function addRouteAdd(route: Command): void {
  addCommand(route, {
    usage: 'add',
    summary: 'Add a route from a model to a provider',
    options: [
      { flags: '--model <id>', about: 'model ID used in requests', required: true },
      { flags: '--provider <name>', about: 'name of the provider', required: true },
      { flags: '--upstream-model <id>', about: 'upstream model ID (default: same as --model)' },
      { flags: '--priority <n>', about: 'routes with lower values are tried first (default: 0)' },
      { flags: '--weight <n>', about: 'share of requests among routes with the same priority (default: 1)' },
      {
        flags: '--context <n>',
        about: 'context window of the upstream model in tokens (default: of the model)',
      },
      {
        flags: '--cost-multiplier <factor>',
        about:
          'cost at the provider relative to the price of the model, for the strategy lowest-price (default: 1)',
      },
      {
        flags: '--served-names <names>',
        about: 'other names that the provider reports for the model, comma-separated (default: none)',
      },
    ],
    input: inputSchema,
    examples: [
      'tollgate route add --model gpt-5-mini --provider openai',
      'tollgate route add --model gpt-5-mini --provider azure --upstream-model my-deployment --priority 1 --context 400000',
    ],
    run: async (input, { env }) => {
      const wanted: NewRoute = {
        modelId: input.model,
        providerName: input.provider,
        upstreamModel: input.upstreamModel ?? null,
        priority: input.priority ?? 0,
        weight: input.weight ?? 1,
        servedNames: input.servedNames ?? [],
        contextTokens: input.context ?? null,
        ...(input.costMultiplier !== undefined && { costPpm: input.costMultiplier }),
      };
      const added = await withInstallation(env, ({ db }) => addRoute(db, wanted));
      if (!added.ok) throw denied(added.reason, wanted);
      return {
        json: routeJson(added.route),
        text: `Added ${added.route.id}: ${wanted.modelId} → ${wanted.providerName}`,
      };
    },
  });
}

function denied(reason: AddRouteDenial, { modelId, providerName }: NewRoute): Failure {
  const messages = {
    unknown_model: `Model ${modelId} does not exist. Add it with \`tollgate model add\`.`,
    unknown_provider: `Provider ${providerName} does not exist. List providers with \`tollgate provider list\`.`,
    route_exists: `${modelId} already has a route to ${providerName}. Remove it first with \`tollgate route remove\`.`,
  } satisfies Record<AddRouteDenial, string>;
  return new Failure(reason, messages[reason]);
}
