import { listRoutePatterns } from '@tollgate/db/queries/catalogue/route-patterns';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { formatTable } from '../../output/table.ts';
import { patternJson } from './pattern-view.ts';

const COLUMNS = [
  { title: 'ID' },
  { title: 'PATTERN' },
  { title: 'PROVIDER' },
  { title: 'STRIP' },
  { title: 'PRIORITY', align: 'right' },
  { title: 'WEIGHT', align: 'right' },
  { title: 'MODELS', align: 'right' },
] as const;

export function addPatternList(pattern: Command): void {
  addCommand(pattern, {
    usage: 'list',
    summary: 'List patterns with their providers',
    input: z.object({}),
    examples: ['tollgate pattern list'],
    run: async (_, { env }) => {
      const patterns = await withInstallation(env, ({ db }) => listRoutePatterns(db));
      const rows = patterns.map((each) => [
        each.id,
        each.pattern,
        each.providerName,
        each.strip === '' ? '-' : each.strip,
        String(each.priority),
        String(each.weight),
        String(each.knownModels.length),
      ]);
      return {
        json: { patterns: patterns.map(patternJson) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'No patterns yet. To add one, see `tollgate pattern add --help`.',
      };
    },
  });
}
