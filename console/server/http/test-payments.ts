import { hasRole } from '@tollgate/core/people/roles';
import { listAccountsOfUser } from '@tollgate/db/queries/team/members';
import { findPayment, type Payment } from '@tollgate/db/queries/payments/payments';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { mayUseLocalTools } from '../auth/local-tools.ts';
import type { Deps } from '../deps.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import { receiveWebhook } from '../payments/receive-webhook.ts';
import { makeTestEvents, TEST_ACTIONS } from '../payments/test-events.ts';
import { writeTestPaymentPage } from '../payments/test-page.ts';
import { signEvent } from '../payments/verify-event.ts';
import type { AppEnv } from './app-env.ts';
import { checkOrigin } from './check-origin.ts';
import { missingPage } from './page.ts';
import { readPageSession } from './page-session.ts';
import { readCookie } from './read-cookie.ts';

const MAX_BODY_BYTES = 4096;

/**
 * The test payment page, for users who may top up the account and may use the local tools: its payments become
 * credit.
 */
export function testPaymentRoutes(deps: Deps, provider: PaymentProvider) {
  return new Hono<AppEnv>()
    .use('/dev/pay/*', checkOrigin(deps.settings.publicConsoleUrl))
    .use('/dev/pay/*', bodyLimit({ maxSize: MAX_BODY_BYTES }))
    .get('/dev/pay/:paymentId', async (c) => {
      c.header('cache-control', 'no-store');
      const found = await findPayable(c, deps, c.req.param('paymentId'));
      if (found === 'signed_out') return c.redirect('/sign-in');
      if (found === null) return c.html(missingPage(), 404);
      return c.html(writeTestPaymentPage(found.payment, found.accountName));
    })
    .post('/dev/pay/:paymentId', async (c) => {
      const found = await findPayable(c, deps, c.req.param('paymentId'));
      const { action: pressed } = await c.req.parseBody();
      const action = TEST_ACTIONS.find((known) => known === pressed);
      if (found === null || found === 'signed_out' || action === undefined) return c.html(missingPage(), 404);
      const { payment } = found;
      if (payment.state === 'created' || payment.state === 'pending') {
        for (const event of makeTestEvents(payment, action, deps.clock.nowMs())) {
          const body = JSON.stringify(event);
          const signature = await signEvent(body, provider.webhookSecret, deps.clock.nowMs());
          const status = await receiveWebhook({ ...deps, log: c.var.log }, provider, { body, signature });
          if (status !== 200) throw new Error('The test payment failed');
        }
      }
      return c.redirect(`/billing?payment=${payment.id}`, 303);
    });
}

async function findPayable(
  c: Context<AppEnv>,
  deps: Deps,
  paymentId: string,
): Promise<{ payment: Payment; accountName: string } | 'signed_out' | null> {
  const session = await readPageSession(c, deps);
  if (session === null) return 'signed_out';
  if (!mayUseLocalTools({ deps, session, readCookie: (name) => readCookie(c, name) })) return null;
  const payment = await findPayment(deps.db, paymentId);
  if (payment === null || payment.provider !== 'test' || payment.kind !== 'checkout') return null;
  const accounts = await listAccountsOfUser(deps.db, session.user.id);
  const account = accounts.find(({ id }) => id === payment.accountId);
  if (account === undefined || !hasRole(account.role, 'admin')) return null;
  if (account.requiresTwoFactor && !session.secondFactor.isConfirmed) return null;
  return { payment, accountName: account.name };
}
