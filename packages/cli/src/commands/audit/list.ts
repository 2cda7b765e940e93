import { describeSubject, listFieldChanges } from '@tollgate/core/audit/describe-entry';
import { describeInstallationAction } from '@tollgate/core/audit/describe-installation-action';
import { emailSchema } from '@tollgate/core/keys/credentials';
import {
  listInstallationAudit,
  type InstallationAudit,
} from '@tollgate/db/queries/audit/list-installation-audit';
import { findUserByEmail } from '@tollgate/db/queries/users/users';
import type { Connection } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { momentOption } from '../../options/moment-option.ts';
import { moment } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;
const CLI = 'cli';

const inputSchema = z.object({
  actor: z.union([z.literal(CLI), emailSchema], { error: `must be an email, or ${CLI}` }).optional(),
  action: z
    .string()
    .regex(/^[a-z_]+(\.[a-z_]+)?$/, 'must be an action such as plan.change, or its first word')
    .optional(),
  subject: z.string().trim().min(1).max(200).optional(),
  since: momentOption.optional(),
  until: momentOption.optional(),
  before: z
    .string()
    .regex(/^aud_[0-9a-z]{1,40}$/, 'must be the ID of an entry')
    .optional(),
  limit: integerOption({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT),
});
type Input = z.infer<typeof inputSchema>;

export function addAuditList(audit: Command): void {
  addCommand(audit, {
    usage: 'list',
    summary: 'List actions of operators, the command line and the system, newest first',
    options: [
      {
        flags: '--actor <who>',
        about: `only of this operator (email), or ${CLI}: the command line and the system`,
      },
      { flags: '--action <action>', about: 'only this action such as plan.change, or all of plan' },
      { flags: '--subject <what>', about: 'only about this name, email, ID or account ID' },
      { flags: '--since <when>', about: 'a date or time' },
      { flags: '--until <when>', about: 'a date or time; up to, not including' },
      { flags: '--before <ENTRY_ID>', about: 'only entries that are older than this one: the next page' },
      { flags: '--limit <n>', about: `number of entries (default: ${DEFAULT_LIMIT}, at most ${MAX_LIMIT})` },
    ],
    input: inputSchema,
    examples: [
      'tollgate audit list --since 2026-11-01 --action plan',
      'tollgate audit list --actor you@example.com --json',
    ],
    run: async (input, { env }) => {
      const { entries, nextCursor } = await withInstallation(env, async ({ db }) => {
        const { since: from, until, subject, action, before: cursor, limit } = input;
        const actor = await findActor(db, input.actor);
        return listInstallationAudit(db, { actor, action, subject, from, until, cursor, limit });
      });
      return {
        json: { entries: entries.map(entryJson), before: nextCursor },
        text: entries.length > 0 ? getTable(entries, nextCursor) : 'No matching actions',
      };
    },
  });
}

/** @returns the id of a user, or `cli` */
async function findActor(db: Connection, actor: Input['actor']): Promise<string | undefined> {
  if (actor === undefined || actor === CLI) return actor;
  const user = await findUserByEmail(db, actor);
  if (user === null) throw new Failure('user_not_found', `There is no user ${actor}`);
  return user.id;
}

function entryJson({ at, detail: { before, ...detail }, ...entry }: InstallationAudit) {
  return { ...entry, at: at.toISOString(), before: before ?? null, detail };
}

const COLUMNS = ['TIME', 'ACTOR', 'ACTION', 'SUBJECT', 'CHANGES'].map((title) => ({ title }));

function getTable(entries: readonly InstallationAudit[], nextCursor: string | null): string {
  const table = formatTable(
    COLUMNS,
    entries.map((entry) => [
      moment(entry.at),
      entry.actorEmail ?? entry.actorUserId ?? CLI,
      describeInstallationAction(entry.action),
      describeSubject(entry),
      listFieldChanges(entry)
        .map(({ name, before, after }) => `${name}: ${before === null ? '' : `${before} → `}${after}`)
        .join('; '),
    ]),
  );
  return nextCursor === null ? table : `${table}\nOlder entries: --before ${nextCursor}`;
}
