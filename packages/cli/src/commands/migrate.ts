import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { migrate, readSchemaVersion } from '@tollgate/db/migrate';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { counted } from '../output/format.ts';

export function addMigrate(program: Command): void {
  addCommand(program, {
    usage: 'migrate',
    summary: 'Migrate the database to the schema of this release',
    options: [
      {
        flags: '--while-running',
        about: 'migrate while services of an older release are connected; their requests may then fail',
      },
    ],
    input: z.object({ whileRunning: z.boolean().default(false) }),
    examples: ['DATABASE_URL=postgres://… tollgate migrate'],
    run: async ({ whileRunning }, { env }) => {
      const embedded = env.DATABASE_URL === undefined ? await openEmbedded(env.DATA_DIR) : null;
      const url = embedded?.url ?? env.DATABASE_URL ?? '';
      try {
        const { applied, repaired, functions } = await migrate(url, { whileRunning });
        const { current } = await readSchemaVersion(url);
        const done =
          applied.length === 0 ? 'No migrations to apply' : `Applied ${counted(applied.length, 'migration')}`;
        const mended = repaired.length === 0 ? '' : `Repaired ${repaired.join(', ')}. `;
        const replaced =
          functions.length === 0 ? '' : ` Updated ${counted(functions.length, 'SQL function')}.`;
        return {
          json: { applied, repaired, functions, version: current },
          text: `${mended}${done}.${replaced} Schema version: ${current}`,
        };
      } finally {
        await embedded?.stop();
      }
    },
  });
}
