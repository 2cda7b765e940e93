import { removeRoute } from '@tollgate/db/queries/catalogue/routes';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';

export function addRouteRemove(route: Command): void {
  addCommand(route, {
    usage: 'remove <ROUTE_ID>',
    summary: 'Remove a route',
    positional: ['routeId'],
    input: z.object({ routeId: z.string() }),
    examples: ['tollgate route remove route_01k9zc4t7q8wf3m2n5p6r8s0tv'],
    run: async ({ routeId }, { env }) => {
      const removed = await withInstallation(env, ({ db }) => removeRoute(db, routeId));
      if (!removed)
        throw new Failure(
          'route_not_found',
          `Route ${routeId} does not exist. List routes with \`tollgate route list\`.`,
        );
      return { json: { id: routeId }, text: `Removed ${routeId}` };
    },
  });
}
