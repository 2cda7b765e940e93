import { randomBytes } from 'node:crypto';
import { createPasswordHasher } from '@tollgate/auth/password';
import { findPasswordFault } from '@tollgate/auth/password-rules';
import { emailSchema, passwordSchema } from '@tollgate/core/credentials';
import { createUserWithAccount } from '@tollgate/db/queries/users';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, usageFailure } from '../command.ts';
import { Failure } from '../failure.ts';
import { withInstallation } from '../installation.ts';
import { readSecret } from '../options/secret-option.ts';
import { accountJson, accountText, getAccount } from './account-view.ts';

const inputSchema = z.object({
  email: emailSchema,
  password: z.string().optional(),
  verified: z.boolean().default(false),
  operator: z.boolean().default(false),
});

export function addAccountCreate(account: Command): void {
  addCommand(account, {
    usage: 'create',
    summary: 'Create a person and the account they own',
    options: [
      { flags: '--email <email>', about: 'who signs in', required: true },
      {
        flags: '--password <password>',
        about: '- reads it from stdin; without one it is set by "Forgot password"',
      },
      { flags: '--verified', about: 'take the e-mail as proven, which keys need' },
      { flags: '--operator', about: 'may run the installation in the console' },
    ],
    input: inputSchema,
    examples: [
      'tollgate account create --email you@example.com --verified --operator',
      'tollgate account create --email you@example.com --password - --verified < password.txt',
    ],
    run: async (input, { env, clock }) => {
      const { email, verified, operator } = input;
      const password = checkPassword(await readSecret('--password', input.password), email);
      // Nobody knows this one, so nobody gets in with it.
      const passwordHash = await createPasswordHasher().hash(password ?? randomBytes(32).toString('base64'));
      const created = await withInstallation(env, async ({ db }) => {
        const emailVerifiedAt = verified ? new Date(clock.nowMs()) : null;
        const user = { email, passwordHash, emailVerifiedAt, isOperator: operator };
        if ((await createUserWithAccount(db, user)) === null)
          throw new Failure('email_taken', `There is somebody with the e-mail ${email} already`);
        return getAccount(db, email);
      });
      const hint =
        password === undefined
          ? '\n\nNo password is set: "Forgot password" in the console sends a link to choose one.'
          : '';
      return {
        json: { ...accountJson(created), password: password !== undefined },
        text: `${accountText(created)}${hint}`,
      };
    },
  });
}

function checkPassword(password: string | undefined, email: string): string | undefined {
  if (password === undefined) return undefined;
  const parsed = passwordSchema.safeParse(password);
  if (!parsed.success)
    throw usageFailure(parsed.error.issues.map(({ message }) => ({ path: ['password'], message })));
  if (findPasswordFault(password, email) !== null)
    throw usageFailure([
      { path: ['password'], message: 'That is one of the first passwords that are guessed' },
    ]);
  return password;
}
