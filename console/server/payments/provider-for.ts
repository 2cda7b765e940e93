import { mayUseLocalTools } from '../auth/local-tools.ts';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { PaymentProvider } from './provider.ts';

/**
 * Test payments are credit without money that is spent with real providers: they require the local tools.
 * @returns null if this visitor cannot pay here
 */
export function providerFor(ctx: Context): PaymentProvider | null {
  const { payments } = ctx.deps;
  return payments?.name === 'test' && !mayUseLocalTools(ctx) ? null : payments;
}

/** @throws a denial if this user's payments are not accepted */
export function requireProvider(ctx: Context): PaymentProvider {
  const provider = providerFor(ctx);
  if (provider === null)
    throw deny('BAD_REQUEST', 'Payments are not set up. Ask the operator to add credit.');
  return provider;
}
