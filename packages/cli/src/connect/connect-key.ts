import type { Client } from '@tollgate/core/clients/client';
import { keyScopeSchema } from '@tollgate/core/keys/key-scope';
import { createAccountKey } from '../commands/key/create-account-key.ts';
import { usageFailure, type Context } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { readSecret } from '../options/secret-option.ts';

export interface ConnectKey {
  secret: string;
  /** True: this command created it, and only this command can show it. */
  isNew: boolean;
}

interface KeyInput {
  client: Client;
  key?: string | undefined;
  createKey: boolean;
  account?: string | undefined;
  name?: string | undefined;
}

/** @returns null: no key was named, which is enough to print a configuration */
export async function getConnectKey(input: KeyInput, context: Context): Promise<ConnectKey | null> {
  const { client, account } = input;
  if (!input.createKey) {
    if (account !== undefined || input.name !== undefined)
      throw new UsageFailure('--account and --name need --create-key');
    const secret = (await readSecret('--key', input.key)) ?? context.env.SERVICE_API_KEY;
    return secret === undefined ? null : { secret, isNew: false };
  }
  if (input.key !== undefined) throw new UsageFailure('Use either --key or --create-key');
  if (account === undefined) throw new UsageFailure('--create-key needs --account');
  const scope = keyScopeSchema.safeParse({
    name: input.name ?? client.title,
    allowedModels: null,
    maxBudgetUsd: null,
    rpm: null,
    tpm: null,
    expiresAt: null,
  });
  if (!scope.success) throw usageFailure(scope.error.issues);
  const { secret } = await createAccountKey({ account, scope: scope.data }, context);
  return { secret, isNew: true };
}
