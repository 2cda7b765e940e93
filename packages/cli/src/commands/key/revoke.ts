import { findKeyOverview } from '@tollgate/db/queries/keys/key-overview';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { moment } from '../../output/format.ts';
import { keyNotFound } from './key-not-found.ts';
import { keyJson } from './key-view.ts';

export function addKeyRevoke(key: Command): void {
  addCommand(key, {
    usage: 'revoke <KEY_ID>',
    summary: 'Revoke a key permanently; takes effect within a second',
    positional: ['keyId'],
    input: z.object({ keyId: z.string() }),
    examples: ['tollgate key revoke key_01k9zc4t7q8wf3m2n5p6r8s0tv'],
    run: ({ keyId }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const before = await findKeyOverview(db, keyId);
        if (before === null) throw keyNotFound(keyId);
        const revoked = await revokeKey(db, { keyId, accountId: null, actorUserId: null });
        const json = keyJson({ ...before, revokedAt: revoked?.revokedAt ?? before.revokedAt }, clock.nowMs());
        return {
          json,
          text:
            before.revokedAt === null
              ? `${before.name} (${keyId}) is revoked`
              : `${before.name} (${keyId}) was already revoked on ${moment(before.revokedAt)}`,
        };
      }),
  });
}
