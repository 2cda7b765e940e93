import { allowedMemberSchema } from '@tollgate/core/providers/allowed-members';
import { listAllUnknownMembers, listUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { changeAllowedMembers, MAX_ALLOWED_MEMBERS } from '@tollgate/db/queries/providers/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure, UsageFailure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { iso, whole } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { getProvider } from './provider-view.ts';

const membersOption = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(allowedMemberSchema).min(1));

type UnknownMember = Awaited<ReturnType<typeof listUnknownMembers>>[number];

const toJson = ({ member, client, requests, firstSeenAt, lastSeenAt }: UnknownMember) => ({
  member,
  client,
  requests,
  firstSeenAt: iso(firstSeenAt),
  lastSeenAt: iso(lastSeenAt),
});

function showAll(unknown: readonly UnknownMember[]) {
  const columns = [{ title: 'PROVIDER' }, ...COLUMNS.slice(0, -1)];
  const rows = unknown.map((row) => [
    row.provider,
    row.member,
    row.client,
    whole(row.requests),
    row.firstSeenAt.toISOString(),
    row.lastSeenAt.toISOString(),
  ]);
  return {
    json: { unknown: unknown.map((row) => ({ provider: row.provider, ...toJson(row) })) },
    text: rows.length > 0 ? formatTable(columns, rows) : 'No requests with unknown fields yet.',
  };
}

const COLUMNS = [
  { title: 'FIELD' },
  { title: 'CLIENT' },
  { title: 'REQUESTS', align: 'right' },
  { title: 'FIRST SEEN' },
  { title: 'LAST SEEN' },
  { title: 'ALLOWED' },
] as const;

export function addProviderMembers(provider: Command): void {
  addCommand(provider, {
    usage: 'members',
    summary: 'List request fields unknown to a provider, and allow some of them',
    options: [
      { flags: '--name <name>', about: 'name of the provider (default: all)' },
      {
        flags: '--allow <members>',
        about: 'forward these fields, comma-separated: tools.kind, beta.name, stored.file',
      },
      { flags: '--disallow <members>', about: 'stop forwarding these fields, comma-separated' },
    ],
    input: z.object({
      name: z.string().optional(),
      allow: membersOption.optional(),
      disallow: membersOption.optional(),
    }),
    examples: [
      'tollgate provider members',
      'tollgate provider members --name openrouter',
      'tollgate provider members --name openrouter --allow provider.order,brand_new',
    ],
    run: async ({ name, allow = [], disallow = [] }, { env }) => {
      if (name === undefined) {
        if (allow.length + disallow.length > 0)
          throw new UsageFailure(
            '--allow and --disallow require --name. List providers with `tollgate provider list`.',
          );
        return showAll(await withInstallation(env, ({ db }) => listAllUnknownMembers(db)));
      }
      const { allowed, unknown } = await withInstallation(env, async ({ db }) => {
        const found = await getProvider(db, name);
        const isChange = allow.length + disallow.length > 0;
        const change = { id: found.id, allow, disallow, actorUserId: null };
        return {
          allowed: isChange ? await changeAllowedMembers(db, change) : found.allowedMembers,
          unknown: await listUnknownMembers(db, name),
        };
      });
      if (allowed === null)
        throw new Failure(
          'too_many_members',
          `A provider can have at most ${MAX_ALLOWED_MEMBERS} allowed fields`,
        );
      const rows = unknown.map((row) => [
        row.member,
        row.client,
        whole(row.requests),
        row.firstSeenAt.toISOString(),
        row.lastSeenAt.toISOString(),
        allowed.includes(row.member) ? 'yes' : 'no',
      ]);
      return {
        json: {
          allowed,
          unknown: unknown.map(toJson),
        },
        text: [
          `Allowed: ${allowed.length === 0 ? 'none' : allowed.join(', ')}`,
          rows.length > 0 ? formatTable(COLUMNS, rows) : 'No requests with unknown fields yet.',
        ].join('\n\n'),
      };
    },
  });
}
