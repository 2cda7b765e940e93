import { formatMultiplier } from '@tollgate/core/money/multiplier';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { whole } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { routeJson } from './route-view.ts';

const COLUMNS = [
  { title: 'ID' },
  { title: 'MODEL' },
  { title: 'PROVIDER' },
  { title: 'UPSTREAM MODEL' },
  { title: 'PRIORITY', align: 'right' },
  { title: 'WEIGHT', align: 'right' },
  { title: 'CONTEXT', align: 'right' },
  { title: 'COST', align: 'right' },
  { title: 'SERVED NAMES' },
] as const;

export function addRouteList(route: Command): void {
  addCommand(route, {
    usage: 'list',
    summary: 'List routes in the order they are tried',
    input: z.object({}),
    examples: ['tollgate route list'],
    run: async (_, { env }) => {
      const routes = await withInstallation(env, ({ db }) => listRoutes(db));
      const rows = routes.map((each) => [
        each.id,
        each.modelId,
        each.providerName,
        each.upstreamModel ?? '(same)',
        String(each.priority),
        String(each.weight),
        each.contextTokens === null ? '-' : whole(each.contextTokens),
        `${formatMultiplier(each.costPpm)}x`,
        each.servedNames.join(', '),
      ]);
      return {
        json: { routes: routes.map(routeJson) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'No routes yet. Add one with `tollgate route add --model ID --provider NAME`.',
      };
    },
  });
}
