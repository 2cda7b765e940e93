import { changeRoute, listRoutes } from '@tollgate/db/queries/catalogue/routes';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { multiplierOption } from '../../options/multiplier-option.ts';
import { routeJson } from './route-view.ts';

const inputSchema = z.object({
  routeId: z.string(),
  context: z
    .union([z.literal('model').transform(() => null), integerOption({ min: 1, max: 2_147_483_647 })], {
      error: 'must be a whole number from 1 to 2147483647, or model',
    })
    .optional(),
  costMultiplier: multiplierOption.optional(),
});

export function addRouteUpdate(route: Command): void {
  addCommand(route, {
    usage: 'update <ROUTE_ID>',
    summary: 'Change the context window or the cost of a route',
    positional: ['routeId'],
    options: [
      {
        flags: '--context <n>',
        about: 'context window of the upstream model in tokens, or "model": that of the model',
      },
      {
        flags: '--cost-multiplier <factor>',
        about: 'cost at the provider relative to the price of the model, for the strategy lowest-price',
      },
    ],
    input: inputSchema,
    examples: [
      'tollgate route update route_01k9zc4t7q8wf3m2n5p6r8s0tv --context 131072',
      'tollgate route update route_01k9zc4t7q8wf3m2n5p6r8s0tv --cost-multiplier 0.8',
    ],
    run: async ({ routeId, context, costMultiplier }, { env }) => {
      const change = {
        ...(context !== undefined && { contextTokens: context }),
        ...(costMultiplier !== undefined && { costPpm: costMultiplier }),
      };
      if (Object.keys(change).length === 0)
        throw new Failure('nothing_to_change', 'Give --context or --cost-multiplier.');
      const changed = await withInstallation(env, async ({ db }) =>
        (await changeRoute(db, { id: routeId, change }))
          ? (await listRoutes(db)).find(({ id }) => id === routeId)
          : undefined,
      );
      if (changed === undefined)
        throw new Failure(
          'route_not_found',
          `Route ${routeId} does not exist. List routes with \`tollgate route list\`.`,
        );
      return { json: routeJson(changed), text: `Updated ${routeId}` };
    },
  });
}
