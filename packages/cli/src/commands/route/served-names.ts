import { listRoutes, setServedNames } from '@tollgate/db/queries/catalogue/routes';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { servedNamesOption } from '../../options/served-names-option.ts';
import { routeJson } from './route-view.ts';

export function addRouteServedNames(route: Command): void {
  addCommand(route, {
    usage: 'served-names <ROUTE_ID>',
    summary: 'Set other names that the provider reports for the model of a route',
    positional: ['routeId'],
    options: [
      {
        flags: '--names <names>',
        about: 'comma-separated; replaces all earlier ones; "" for none',
        required: true,
      },
    ],
    input: z.object({ routeId: z.string(), names: servedNamesOption }),
    examples: ['tollgate route served-names route_01k9zc4t7q8wf3m2n5p6r8s0tv --names qwen2.5:7b-instruct'],
    run: async ({ routeId, names }, { env }) => {
      const changed = await withInstallation(env, async ({ db }) =>
        (await setServedNames(db, { id: routeId, servedNames: names }))
          ? (await listRoutes(db)).find(({ id }) => id === routeId)
          : undefined,
      );
      if (changed === undefined)
        throw new Failure(
          'route_not_found',
          `Route ${routeId} does not exist. List routes with \`tollgate route list\`.`,
        );
      const text =
        names.length === 0
          ? `${routeId} has no served names`
          : `Responses of ${routeId} may name ${names.join(', ')}`;
      return { json: routeJson(changed), text };
    },
  });
}
