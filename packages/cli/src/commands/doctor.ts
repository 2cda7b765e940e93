import type { Clock } from '@tollgate/core/runtime/clock';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import type { CliEnv } from '../env.ts';
import type { Check } from '../doctor/check.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkDataDisk } from '../doctor/check-disk.ts';
import { checkCredentials, checkEncryptionKey, checkKeyOfDatabase } from '../doctor/check-encryption.ts';
import { checkNode } from '../doctor/check-node.ts';
import { checkProxies } from '../doctor/check-proxy.ts';
import { checkRates } from '../doctor/check-rates.ts';
import { checkSetAside } from '../doctor/check-set-aside.ts';
import { checkService } from '../doctor/check-service.ts';
import { readRunningFile } from '../start/running-file.ts';
import { formatFacts } from '../output/table.ts';

export function addDoctor(program: Command): void {
  addCommand(program, {
    usage: 'doctor',
    summary: 'Check this installation for problems and suggest fixes',
    input: z.object({}),
    examples: ['tollgate doctor', 'DATABASE_URL=postgres://… ENCRYPTION_KEY=… tollgate doctor'],
    run: async (_, { env, clock }) => {
      const checks = await runChecks(env, clock);
      return {
        json: { ok: checks.every((check) => check.status !== 'fail'), checks },
        text: formatFacts(
          checks.map((check) => [`${check.status.padEnd(4)}  ${check.name}`, sentence(check)]),
        ),
        exitCode: checks.some((check) => check.status === 'fail') ? 1 : 0,
      };
    },
  });
}

async function runChecks(env: CliEnv, clock: Clock): Promise<Check[]> {
  const key = checkEncryptionKey(env);
  const database = await checkDatabase(env, async (db) =>
    key.status === 'ok'
      ? [
          ...(await checkKeyOfDatabase(env, db)),
          await checkCredentials(env, db),
          await checkSetAside(db),
          await checkProxies(env, db),
          await checkRates(db, new Date(clock.nowMs())),
        ]
      : [],
  );
  // `npm start` may have been given other ports than this command.
  const running = readRunningFile(env.DATA_DIR);
  const api = running?.api ?? { host: env.API_HOST, port: env.API_PORT };
  const console = running?.console ?? { host: env.CONSOLE_HOST, port: env.CONSOLE_PORT };
  // With an external database, the services may have been started separately.
  const canBeOwn = running !== null || env.DATABASE_URL !== undefined;
  return [
    checkNode(),
    ...database,
    key,
    await checkDataDisk(env.DATA_DIR),
    await checkService({ name: 'API', ...api, setting: 'API_PORT', canBeOwn }),
    await checkService({ name: 'Console', ...console, setting: 'CONSOLE_PORT', canBeOwn }),
  ];
}

function sentence(check: Check): string {
  return check.fix === null ? check.detail : `${check.detail}: ${check.fix}`;
}
