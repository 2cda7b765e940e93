import { mintApiKey } from '@tollgate/auth/api-key';
import { emailSchema } from '@tollgate/core/keys/credentials';
import {
  KEY_SCOPE_FIELDS,
  keyScopeSchema,
  type KeyScope,
  type KeyScopeField,
} from '@tollgate/core/keys/key-scope';
import { createKey, type ApiKey, type CreateKeyDenial } from '@tollgate/db/queries/keys/keys';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, usageFailure, type CommandOption, type Context } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { expiryOption, resolveExpiry } from '../../options/expiry-option.ts';
import { modelListOption } from '../../options/model-list-option.ts';
import { tagListOption } from '../../options/tag-list-option.ts';
import { getAccount } from '../account/account-view.ts';
import { keyJson, newKeyText } from './key-view.ts';

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

const inputSchema = z.object({
  account: emailSchema,
  name: z.string(),
  models: modelListOption.optional(),
  maxBudget: z.string().optional(),
  rpm: wholeNumber.optional(),
  tpm: wholeNumber.optional(),
  expires: expiryOption.optional(),
  tags: tagListOption.optional(),
});
type Input = z.infer<typeof inputSchema>;

/** The option of each field of the scope. */
const SCOPE_OPTIONS: Record<KeyScopeField, CommandOption> = {
  name: { flags: '--name <name>', about: 'a name to recognize the key by', required: true },
  allowedModels: { flags: '--models <ids>', about: 'allowed models, comma-separated (default: all)' },
  maxBudgetUsd: { flags: '--max-budget <usd>', about: 'lifetime spending limit (default: no limit)' },
  rpm: { flags: '--rpm <n>', about: 'requests per minute (default: no limit)' },
  tpm: { flags: '--tpm <n>', about: 'tokens per minute (default: no limit)' },
  expiresAt: { flags: '--expires <when>', about: '30d, 12h, a date or a time (default: never)' },
};

export function addKeyCreate(key: Command): void {
  addCommand(key, {
    usage: 'create',
    summary: 'Create an API key; the secret is shown only once',
    options: [
      { flags: '--account <email>', about: "the account's owner", required: true },
      ...Object.values(SCOPE_OPTIONS),
      { flags: '--tags <tags>', about: 'labels to find the key by, comma-separated' },
    ],
    input: inputSchema,
    examples: [
      'tollgate key create --account you@example.com --name laptop',
      'tollgate key create --account you@example.com --name ci --tags ci,staging --models tollgate-demo --max-budget 5 --rpm 60 --expires 30d --json',
    ],
    run: async (input, context) => {
      const scope = readScope(input, context.clock.nowMs());
      const { key, secret } = await create(input, scope, context);
      const view = { ...key, accountEmail: input.account, spentNanoUsd: 0n, lastUsedAt: null };
      const { id, ...rest } = keyJson(view, context.clock.nowMs());
      return { json: { id, key: secret, ...rest }, text: newKeyText(key, secret) };
    },
  });
}

function readScope(input: Input, nowMs: number): KeyScope {
  const parsed = keyScopeSchema.safeParse({
    name: input.name,
    allowedModels: input.models ?? null,
    maxBudgetUsd: input.maxBudget ?? null,
    rpm: input.rpm ?? null,
    tpm: input.tpm ?? null,
    expiresAt: input.expires === undefined ? null : resolveExpiry(input.expires, nowMs).toISOString(),
  } satisfies KeyScope);
  if (parsed.success) return parsed.data;
  throw usageFailure(
    parsed.error.issues.map(({ path, message }) => {
      const field = KEY_SCOPE_FIELDS.find((name) => name === path[0]);
      const [flag = ''] = field === undefined ? [] : SCOPE_OPTIONS[field].flags.split(' ');
      return { path: [flag.slice(2)], message };
    }),
  );
}

function create(
  { account: email, tags = [] }: Input,
  scope: KeyScope,
  { env, clock }: Context,
): Promise<{ key: ApiKey; secret: string }> {
  return withInstallation(env, async ({ db }) => {
    const account = await getAccount(db, email);
    if (account.emailVerifiedAt === null)
      throw new Failure(
        'email_not_verified',
        `${email} is not verified, which keys require. The owner can enter the emailed code or reset the password in the console.`,
      );
    const minted = mintApiKey();
    const created = await createKey(db, clock, {
      accountId: account.id,
      createdBy: null,
      scope,
      tags,
      minted,
    });
    if (!created.ok) throw denied(created);
    return { key: created.key, secret: minted.key };
  });
}

function denied(denial: CreateKeyDenial): Failure {
  const message =
    denial.reason === 'unknown_models'
      ? `Unknown models: ${denial.models.join(', ')}. List models with \`tollgate model list\`.`
      : '--expires is in the past';
  return new Failure(denial.reason, message);
}
