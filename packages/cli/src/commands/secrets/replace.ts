import { randomBytes } from 'node:crypto';
import { computeKeyCheck } from '@tollgate/auth/encryption-key';
import { createSealer } from '@tollgate/auth/seal';
import {
  hasEmbeddedSecrets,
  mintEmbeddedSecrets,
  readEmbeddedSecrets,
  writeEmbeddedSecrets,
} from '@tollgate/db/embedded/embedded-secrets';
import { hasEmbeddedCluster } from '@tollgate/db/embedded/embedded-place';
import { replaceKeyCheck } from '@tollgate/db/queries/keys/key-check';
import { resetEmbeddedPassword } from '@tollgate/db/embedded/reset-embedded-password';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import type { CliEnv } from '../../env.ts';
import { Failure } from '../../failure.ts';
import { noInstallation, readEncryptionKey, withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';

export function addSecretsReplace(secrets: Command): void {
  addCommand(secrets, {
    usage: 'replace',
    summary: 'Replace a lost encryption key and delete all data encrypted with it',
    options: [
      {
        flags: '--accept-loss',
        about:
          'delete provider credentials, authenticator apps, recovery codes, logged payloads and unsent emails',
      },
    ],
    input: z.object({ acceptLoss: z.boolean().default(false) }),
    examples: [
      'tollgate secrets replace --accept-loss',
      'DATABASE_URL=postgres://… ENCRYPTION_KEY=… tollgate secrets replace --accept-loss',
    ],
    run: async ({ acceptLoss }, { env }) => {
      if (!acceptLoss)
        throw new Failure(
          'loss_not_accepted',
          'This deletes provider credentials, authenticator apps, recovery codes, logged payloads and unsent emails. To continue, add --accept-loss.',
        );
      if (env.DATABASE_URL === undefined) await ensureConnectable(env);
      const key = env.ENCRYPTION_KEY ?? (env.DATABASE_URL === undefined ? newKey() : readEncryptionKey(env));
      createSealer(key);
      const lost = await withInstallation(env, ({ db }) => replaceKeyCheck(db.url, computeKeyCheck(key)));
      if (env.ENCRYPTION_KEY === undefined)
        writeEmbeddedSecrets(env.DATA_DIR, { ...readEmbeddedSecrets(env.DATA_DIR), encryptionKey: key });
      const parts = [
        counted(lost.providers, 'provider credential'),
        counted(lost.authenticators, 'authenticator app'),
        counted(lost.payloads, 'logged payload'),
        counted(lost.emails, 'unsent email'),
      ];
      return {
        json: { deleted: lost },
        text: `Replaced the key. Deleted: ${parts.join(', ')}, all recovery codes.\nAdd the credentials of your providers again.`,
      };
    },
  });
}

/** Recreates a lost or damaged secrets.json and resets the database password to match. */
async function ensureConnectable(env: CliEnv): Promise<void> {
  const { DATA_DIR } = env;
  if (hasEmbeddedSecrets(DATA_DIR)) return;
  if (!hasEmbeddedCluster(DATA_DIR)) throw noInstallation(env);
  const secrets = mintEmbeddedSecrets();
  await resetEmbeddedPassword(DATA_DIR, secrets.databasePassword);
  writeEmbeddedSecrets(DATA_DIR, secrets);
}

function newKey(): string {
  return randomBytes(32).toString('base64');
}
