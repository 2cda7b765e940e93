import { emailSchema } from '@tollgate/core/keys/credentials';
import {
  KEY_SCOPE_FIELDS,
  keyScopeSchema,
  type KeyScope,
  type KeyScopeField,
} from '@tollgate/core/keys/key-scope';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, usageFailure, type CommandOption } from '../../command.ts';
import { expiryOption, resolveExpiry } from '../../options/expiry-option.ts';
import { modelListOption } from '../../options/model-list-option.ts';
import { tagListOption } from '../../options/tag-list-option.ts';
import { createAccountKey } from './create-account-key.ts';
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
  allowedModels: {
    flags: '--models <ids>',
    about: 'allowed models or patterns such as claude-*, comma-separated (default: all)',
  },
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
      const { key, secret } = await createAccountKey({ ...input, scope }, context);
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
