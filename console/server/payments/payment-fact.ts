import type { PaymentRef } from '@tollgate/db/queries/payments/payments';
import { z } from 'zod';

/** Which payment a provider speaks of. */
export interface FactRef extends PaymentRef {
  /** The id that we set when creating the payment; null: not included. */
  accountId: string | null;
}

/** What any event of any provider says about a payment. */
export type PaymentFact =
  | {
      kind: 'paid';
      ref: FactRef;
      amountCents: number;
      /** In lower case. */
      currency: string;
    }
  /** The person is done, the money is not there yet: a bank transfer. */
  | { kind: 'processing'; ref: FactRef }
  /** `failure` null: it is not said why. `isFinal` false: the person may try another card on the same page. */
  | { kind: 'failed'; ref: FactRef; failure: string | null; isFinal: boolean }
  | { kind: 'expired'; ref: FactRef }
  | {
      kind: 'reversal';
      ref: FactRef;
      reversal: {
        id: string;
        kind: 'refund' | 'dispute';
        amountCents: number;
        currency: string;
        /** `returned`: the refund failed, the dispute was won. */
        state: 'open' | 'returned';
        /** Our request of a refund; null: it was not requested here. */
        requestId: string | null;
      };
    }
  /** A refund whose details must be looked up at the provider. */
  | { kind: 'refunds_changed'; ref: FactRef };

export type ReversalFact = Extract<PaymentFact, { kind: 'reversal' }>;

/** An event as a provider sent it. */
export interface PaymentEvent {
  /** The provider's, the same however often it is sent. */
  id: string;
  type: string;
  createdAt: Date;
  /** null: it concerns no payment. */
  fact: PaymentFact | null;
}

const refSchema = z.object({
  paymentId: z.string().nullable(),
  sessionId: z.string().nullable(),
  intentId: z.string().nullable(),
  accountId: z.string().nullable(),
});
const factSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paid'), ref: refSchema, amountCents: z.int(), currency: z.string() }),
  z.object({ kind: z.literal('processing'), ref: refSchema }),
  z.object({
    kind: z.literal('failed'),
    ref: refSchema,
    failure: z.string().nullable(),
    isFinal: z.boolean(),
  }),
  z.object({ kind: z.literal('expired'), ref: refSchema }),
  z.object({
    kind: z.literal('reversal'),
    ref: refSchema,
    reversal: z.object({
      id: z.string(),
      kind: z.enum(['refund', 'dispute']),
      amountCents: z.int(),
      currency: z.string(),
      state: z.enum(['open', 'returned']),
      // Facts of earlier releases have none.
      requestId: z.string().nullable().default(null),
    }),
  }),
  z.object({ kind: z.literal('refunds_changed'), ref: refSchema }),
]);

/** Reads a fact as it was stored. @returns null if there is none, or it is of a form that this release does not know */
export function parsePaymentFact(stored: unknown): PaymentFact | null {
  const read = factSchema.safeParse(stored);
  return read.success ? read.data : null;
}
