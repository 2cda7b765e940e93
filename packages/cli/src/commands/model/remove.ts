import { removeModel } from '@tollgate/db/queries/models/models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';
import { modelNotFound } from './model-view.ts';

export function addModelRemove(model: Command): void {
  addCommand(model, {
    usage: 'remove <ID>',
    summary: 'Remove a model and its routes; its past usage stays on record',
    positional: ['id'],
    input: z.object({ id: z.string() }),
    examples: ['tollgate model remove gpt-5-mini'],
    run: async ({ id }, { env }) => {
      const removed = await withInstallation(env, ({ db }) => removeModel(db, id));
      if (removed === null) throw modelNotFound(id);
      return {
        json: { id, removedRoutes: removed.removedRoutes },
        text: `Removed model ${id} and ${counted(removed.removedRoutes, 'route')}`,
      };
    },
  });
}
