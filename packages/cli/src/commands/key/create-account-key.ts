import { mintApiKey } from '@tollgate/auth/api-key';
import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { createKey, type ApiKey, type CreateKeyDenial } from '@tollgate/db/queries/keys/keys';
import type { Context } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { getAccount } from '../account/account-view.ts';

/**
 * Creates a key for the account of an owner.
 * @throws Failure if there is no such account, its email is not verified, or the scope is refused
 */
export function createAccountKey(
  { account: email, scope, tags = [] }: { account: string; scope: KeyScope; tags?: string[] | undefined },
  { env, clock }: Pick<Context, 'env' | 'clock'>,
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
