import { removeRoutePattern } from '@tollgate/db/queries/catalogue/route-patterns';
import { listPatternOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';

export function addPatternRemove(pattern: Command): void {
  addCommand(pattern, {
    usage: 'remove <PATTERN_ID>',
    summary: 'Remove a pattern, its routes, and its models without another route',
    positional: ['patternId'],
    input: z.object({ patternId: z.string() }),
    examples: ['tollgate pattern remove pattern_01k9zc4t7q8wf3m2n5p6r8s0tv'],
    run: async ({ patternId }, { env, clock }) => {
      const offers = listPatternOffers(clock.nowMs());
      const synced = await withInstallation(env, ({ db }) =>
        removeRoutePattern(db, patternId, { offers, actorUserId: null }),
      );
      if (synced === null)
        throw new Failure(
          'pattern_not_found',
          `Pattern ${patternId} does not exist. List patterns with \`tollgate pattern list\`.`,
        );
      const { added, removed } = synced;
      return {
        json: { id: patternId, added, removed },
        text: `Removed ${patternId} and ${counted(removed.length, 'model')}`,
      };
    },
  });
}
