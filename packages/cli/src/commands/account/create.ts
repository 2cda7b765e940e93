import { randomBytes } from 'node:crypto';
import { createPasswordHasher } from '@tollgate/auth/password';
import { findPasswordProblem } from '@tollgate/auth/password-rules';
import { emailSchema, passwordSchema } from '@tollgate/core/keys/credentials';
import type { AccountOverview } from '@tollgate/db/queries/accounts/accounts';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { DEFAULT_PLAN, holdPlan, OPERATOR_PLAN } from '@tollgate/db/queries/plans/plans';
import { createUserWithAccount } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, usageFailure } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withNewInstallation } from '../../installation.ts';
import { amountOption } from '../../options/amount-option.ts';
import { readSecret } from '../../options/secret-option.ts';
import { accountJson, accountText, getAccount } from './account-view.ts';
import { unknownPlan } from '../plan/plan-view.ts';

const inputSchema = z.object({
  email: emailSchema,
  password: z.string().optional(),
  verified: z.boolean().default(false),
  operator: z.boolean().default(false),
  plan: z.string().optional(),
  credit: amountOption.optional(),
});
type Input = z.infer<typeof inputSchema>;

export function addAccountCreate(account: Command): void {
  addCommand(account, {
    usage: 'create',
    summary: 'Create a user and an account that they own',
    options: [
      { flags: '--email <email>', about: "the owner's email address", required: true },
      {
        flags: '--password <password>',
        about: 'use - to read it from stdin; if omitted, the owner sets it with "Forgot password?"',
      },
      { flags: '--verified', about: 'mark the email as verified; required to create keys' },
      { flags: '--operator', about: 'make the user an operator of this installation' },
      {
        flags: '--plan <name>',
        about: `the plan of the account (default: ${DEFAULT_PLAN}; with --operator: ${OPERATOR_PLAN})`,
      },
      { flags: '--credit <usd>', about: 'initial credit, in addition to the credit of the plan' },
    ],
    input: inputSchema,
    examples: [
      'tollgate account create --email you@example.com --verified --operator',
      'tollgate account create --email you@example.com --password - --verified < password.txt',
      'tollgate account create --email team@example.com --verified --plan standard --credit 50',
    ],
    run: async (input, { env, clock }) => {
      const password = checkPassword(await readSecret('--password', input.password), input.email);
      // A random, unknown password, so no user can sign in with it.
      const passwordHash = await createPasswordHasher().hash(password ?? randomBytes(32).toString('base64'));
      const now = new Date(clock.nowMs());
      const created = await withNewInstallation(env, ({ db }) =>
        inTransaction(db, (tx) => create(tx, input, { passwordHash, now })),
      );
      const hint =
        password === undefined
          ? '\n\nNo password is set. The owner can set one with "Forgot password?" in the console.'
          : '';
      return {
        json: { ...accountJson(created), password: password !== undefined },
        text: `${accountText(created)}${hint}`,
      };
    },
  });
}

async function create(
  tx: Connection,
  { email, verified, operator, plan: chosen, credit }: Input,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<AccountOverview> {
  const plan = chosen ?? (operator && (await holdPlan(tx, OPERATOR_PLAN)) ? OPERATOR_PLAN : DEFAULT_PLAN);
  if (!(await holdPlan(tx, plan))) throw unknownPlan(plan);
  const created = await createUserWithAccount(tx, {
    email,
    passwordHash,
    emailVerifiedAt: verified ? now : null,
    isOperator: operator,
    planId: plan,
  });
  if (created === null) throw new Failure('email_taken', `A user with the email ${email} already exists`);
  const { accountId } = created;
  if (credit !== undefined && credit > 0n)
    await adjustBalance(tx, {
      accountId,
      amountNanoUsd: credit,
      reason: 'Initial credit',
      actorUserId: null,
    });
  return getAccount(tx, email);
}

function checkPassword(password: string | undefined, email: string): string | undefined {
  if (password === undefined) return undefined;
  const parsed = passwordSchema.safeParse(password);
  if (!parsed.success)
    throw usageFailure(parsed.error.issues.map(({ message }) => ({ path: ['password'], message })));
  if (findPasswordProblem(password, email) !== null)
    throw usageFailure([{ path: ['password'], message: 'This password is too common' }]);
  return password;
}
