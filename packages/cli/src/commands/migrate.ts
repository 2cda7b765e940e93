import { openEmbedded } from '@tollgate/db/embedded';
import { migrate, readSchemaVersion } from '@tollgate/db/migrate';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { counted } from '../output/format.ts';

export function addMigrate(program: Command): void {
  addCommand(program, {
    usage: 'migrate',
    summary: 'Bring the database to the schema of this Tollgate; forward only',
    input: z.object({}),
    examples: ['DATABASE_URL=postgres://… tollgate migrate'],
    run: async (_, { env }) => {
      const embedded = env.DATABASE_URL === undefined ? await openEmbedded(env.DATA_DIR) : null;
      const url = embedded?.url ?? env.DATABASE_URL ?? '';
      try {
        const applied = await migrate(url);
        const { current } = await readSchemaVersion(url);
        const done =
          applied.length === 0 ? 'Nothing to do' : `Applied ${counted(applied.length, 'migration')}`;
        return { json: { applied, version: current }, text: `${done}: the schema has version ${current}` };
      } finally {
        await embedded?.stop();
      }
    },
  });
}
