import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { signEvent } from '../../payments/verify-event.ts';
import { FakeStripeState } from './fake-stripe-state.ts';

export interface FakeStripe extends AsyncDisposable {
  url: string;
  state: FakeStripeState;
  /** The recorded requests, as `POST /v1/customers`. */
  asked: string[];
  /** Result of the next charges: a declined card, a failure of Stripe, a response that never arrives. */
  chargesMeet: ('decline' | 'failure' | 'lost_answer')[];
  /** Result of the next refunds: as of charges, a status of the API key, or a refund that fails at the bank. */
  refundsMeet: ('failure' | 'lost_answer' | 'returned' | 401 | 403)[];
  /** An event as Stripe would send it. @param id the same for a repeated event */
  event(type: string, object: object, id?: string): { body: string };
  sign(body: string, atMs?: number): Promise<string>;
}

interface Reply {
  status: number;
  body: object;
  isLost?: boolean;
}

/**
 * A server that speaks the part of Stripe's API that the console uses, to Stripe's own package: sessions, intents,
 * customers and refunds, idempotency keys included.
 */
export async function startFakeStripe(webhookSecret: string): Promise<FakeStripe> {
  const state = new FakeStripeState();
  const asked: string[] = [];
  const chargesMeet: FakeStripe['chargesMeet'] = [];
  const refundsMeet: FakeStripe['refundsMeet'] = [];
  const replies = new Map<string, Reply>();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe');
    const form = new URLSearchParams(await text(request));
    asked.push(`${request.method} ${url.pathname}`);
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' && request.method === 'POST' ? replies.get(key) : undefined;
    const reply =
      known ?? answer(state, { method: request.method ?? 'GET', url, form, chargesMeet, refundsMeet });
    // Errors of the server itself and of the API key are not stored as idempotent responses.
    if (typeof key === 'string' && reply.status < 500 && ![401, 403].includes(reply.status))
      replies.set(key, { ...reply, isLost: false });
    if (reply.isLost === true) {
      request.socket.destroy();
      return;
    }
    const shouldRetry = reply.status >= 500 ? { 'stripe-should-retry': 'false' } : {};
    response.writeHead(reply.status, { 'content-type': 'application/json', ...shouldRetry });
    response.end(JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake Stripe has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    asked,
    chargesMeet,
    refundsMeet,
    event: (type, object, id = `evt_${randomBytes(12).toString('hex')}`) => ({
      body: JSON.stringify({
        id,
        object: 'event',
        api_version: '2026-09-30.endive',
        type,
        created: Math.floor(Date.now() / 1000),
        livemode: false,
        data: { object },
      }),
    }),
    sign: async (body, atMs = Date.now()) => signEvent(body, webhookSecret, atMs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

interface Call {
  method: string;
  url: URL;
  form: URLSearchParams;
  chargesMeet: FakeStripe['chargesMeet'];
  refundsMeet: FakeStripe['refundsMeet'];
}

function answer(state: FakeStripeState, call: Call): Reply {
  const { method, url, form, chargesMeet, refundsMeet } = call;
  const [, , collection = '', ...rest] = url.pathname.split('/');
  const id = rest.at(-1) ?? '';
  switch (`${method} ${collection}`) {
    case 'POST customers':
      return found(state.addCustomer(form));
    case 'DELETE customers':
      return state.customers.delete(id) ? found({ id, object: 'customer', deleted: true }) : found(undefined);
    case 'POST payment_methods':
      state.detached.push(rest[0] ?? '');
      return found({ id: rest[0], object: 'payment_method', customer: null });
    case 'POST checkout':
      return found(state.openSession(form));
    case 'GET checkout':
      return getSessions(state, url);
    case 'POST tax': {
      const made = state.calculate(form);
      if (made !== null) return found(made);
      const message = "The customer's location isn't recognized.";
      const error = { type: 'invalid_request_error', code: 'customer_tax_location_invalid', message };
      return { status: 400, body: { error } };
    }
    case 'POST payment_intents':
      return charge(state, form, chargesMeet.shift());
    case 'GET payment_intents': {
      const intent = state.intents.get(id);
      if (intent === undefined || url.searchParams.get('expand[0]') !== 'payment_method')
        return found(intent);
      const card = { brand: 'visa', last4: '4242' };
      return found({ ...intent, payment_method: { id: intent.payment_method, type: 'card', card } });
    }
    case 'POST refunds':
      return refund(state, form, refundsMeet.shift());
    case 'GET refunds': {
      const refunds = [...state.refunds.values()];
      const data = refunds.filter(
        (refund) => refund.payment_intent === url.searchParams.get('payment_intent'),
      );
      return found({ object: 'list', data, has_more: false });
    }
    default:
      return found(undefined);
  }
}

/** One session, with the breakdown of its taxes if the request expands it, or those of an intent. */
function getSessions(state: FakeStripeState, url: URL): Reply {
  const intent = url.searchParams.get('payment_intent');
  if (intent !== null) {
    const data = [...state.sessions.values()].filter(({ payment_intent }) => payment_intent === intent);
    return found({ object: 'list', data, has_more: false });
  }
  const session = state.sessions.get(url.pathname.split('/').at(-1) ?? '');
  if (session === undefined) return found(undefined);
  const { breakdown, ...totals } = session.total_details;
  const isExpanded = url.searchParams.get('expand[0]') === 'total_details.breakdown';
  const total_details = isExpanded ? { ...totals, breakdown: breakdown ?? { taxes: [] } } : totals;
  return found({ ...session, total_details });
}

function charge(
  state: FakeStripeState,
  form: URLSearchParams,
  meets: FakeStripe['chargesMeet'][number] | undefined,
): Reply {
  switch (meets) {
    case undefined:
      return found(state.charge(form));
    case 'lost_answer':
      return { ...found(state.charge(form)), isLost: true };
    case 'failure':
      return FAILURE;
    case 'decline': {
      const payment_intent = state.decline(form);
      const error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
        payment_intent,
      };
      return { status: 402, body: { error } };
    }
  }
}

function refund(
  state: FakeStripeState,
  form: URLSearchParams,
  meets: FakeStripe['refundsMeet'][number] | undefined,
): Reply {
  if (meets === 'failure') return FAILURE;
  if (meets === 401 || meets === 403)
    return {
      status: meets,
      body: { error: { type: 'invalid_request_error', message: 'Key sk_test_*ests' } },
    };
  const made = state.makeRefund(form);
  if (made !== null && meets === 'returned') made.status = 'failed';
  if (made !== null) return { ...found(made), isLost: meets === 'lost_answer' };
  const message = 'Refund amount is greater than unrefunded amount on charge.';
  return { status: 400, body: { error: { type: 'invalid_request_error', message } } };
}

const FAILURE: Reply = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An error on our side' } },
};

function found(object: object | undefined): Reply {
  if (object !== undefined) return { status: 200, body: object };
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' };
  return { status: 404, body: { error } };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The fake Stripe broke');
}
