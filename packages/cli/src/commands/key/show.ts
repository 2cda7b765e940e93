import { findKeyOverview } from '@tollgate/db/queries/keys/key-overview';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { keyJson, keyText } from './key-view.ts';
import { keyNotFound } from './key-not-found.ts';

export function addKeyShow(key: Command): void {
  addCommand(key, {
    usage: 'show <KEY_ID>',
    summary: 'Show the scope and spending of a key, without its secret',
    positional: ['keyId'],
    input: z.object({ keyId: z.string() }),
    examples: ['tollgate key show key_01k9zc4t7q8wf3m2n5p6r8s0tv'],
    run: async ({ keyId }, { env, clock }) => {
      const found = await withInstallation(env, ({ db }) => findKeyOverview(db, keyId));
      if (found === null) throw keyNotFound(keyId);
      return { json: keyJson(found, clock.nowMs()), text: keyText(found, clock.nowMs()) };
    },
  });
}
