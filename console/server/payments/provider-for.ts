import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { PaymentProvider } from './provider.ts';

/**
 * Whether somebody may pay without money. Such credit is spent with real providers, so it is for whoever sits at this
 * machine, and for the operator from anywhere.
 */
export function mayPayByTest({
  isLocalVisitor,
  session,
}: Pick<Context, 'isLocalVisitor' | 'session'>): boolean {
  return isLocalVisitor || session?.user.isOperator === true;
}

/** @returns null where nobody takes this visitor's payments */
export function providerFor(ctx: Context): PaymentProvider | null {
  const { payments } = ctx.deps;
  return payments?.name === 'test' && !mayPayByTest(ctx) ? null : payments;
}

/** @throws a denial where nobody takes this visitor's payments */
export function requireProvider(ctx: Context): PaymentProvider {
  const provider = providerFor(ctx);
  if (provider === null)
    throw deny('BAD_REQUEST', 'Payments are not set up here: the operator can add credit to an account.');
  return provider;
}
