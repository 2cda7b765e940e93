import { createPaymentsSite, type PaymentsSite } from './payments-fixture.ts';
import { PASSWORD, signUpOperator } from './people.ts';

/** An operator who refunds payments of a console with a fake Stripe. */
export async function createRefunds() {
  const on: PaymentsSite = await createPaymentsSite();
  const operator = await signUpOperator(on.site);
  const client = () => operator.visitor.client.operator.payments;
  return {
    on,
    operator,
    client,
    /** Sessions end while the clock advances. */
    signInAgain: () =>
      operator.visitor.client.auth.signIn.mutate({ email: operator.email, password: PASSWORD }),
    refund: (paymentId: string, amountUsd: string, requestId: string = crypto.randomUUID()) =>
      client().refund.mutate({ paymentId, amountUsd, reason: 'Wrong account', requestId }),
    /** The refunds that Stripe has made of a payment. */
    madeAt: (intentId: string) =>
      [...on.stripe.state.refunds.values()].filter(({ payment_intent }) => payment_intent === intentId),
  };
}
