import type { Call } from '../cell.ts';
import { always, type End, type Fault } from '../fault.ts';
import { withStatus, type Plan } from '../plan.ts';

const PAGE = '<html><body><h1>Bad gateway</h1></body></html>';

function createError({ dialect }: Call, type: string, message: string): object {
  if (dialect === 'anthropic-messages')
    return { type: 'error', error: { type, message }, request_id: 'req_matrix1' };
  return { error: { message, type, param: null, code: null } };
}

function status(number: number, end: End, type = 'server_error', more: Partial<Fault> = {}): Fault {
  return {
    name: `status ${number}`,
    provoke: (plan, call) =>
      withStatus(plan, number, createError(call, type, `This is the error ${number}.`)),
    expected: always(end),
    ...more,
  };
}

function page(number: number): Fault {
  return {
    name: `status ${number} with a page`,
    provoke: (plan) => withStatus(plan, number, PAGE),
    expected: always('second'),
  };
}

function once(name: string, change: (plan: Plan, call: Call) => Plan): Fault {
  return {
    name,
    provoke: (plan, call) => (call.earlier === 0 ? change(plan, call) : plan),
    expected: always('first'),
  };
}

const callers = { isCallers: true } as const;

/** Responses of another status than 200. */
export const STATUSES: readonly Fault[] = [
  ...[301, 302, 303, 307, 308].map((number): Fault => ({
    name: `status ${number}`,
    provoke: (plan) => withStatus(plan, number, PAGE, 'location: http://localhost:1/elsewhere'),
    expected: always('second'),
  })),
  {
    name: 'status 304',
    provoke: (plan) => ({ ...plan, raw: 'HTTP/1.1 304 Not Modified\r\n\r\n' }),
    expected: always('second'),
  },
  {
    name: 'status 204',
    provoke: (plan) => ({ ...plan, raw: 'HTTP/1.1 204 No Content\r\n\r\n' }),
    expected: always('second'),
  },
  status(400, 'error', 'invalid_request_error', callers),
  status(401, 'second', 'authentication_error'),
  status(402, 'second', 'billing_error'),
  status(403, 'second', 'permission_error'),
  status(404, 'error', 'not_found_error', callers),
  status(408, 'second', 'timeout_error'),
  status(409, 'second', 'conflict_error'),
  status(413, 'error', 'request_too_large', callers),
  status(422, 'error', 'invalid_request_error', callers),
  status(425, 'second', 'too_early'),
  status(429, 'second', 'rate_limit_error'),
  once('status 429 once, with retry-after', (plan, call) =>
    withStatus(plan, 429, createError(call, 'rate_limit_error', 'Slow down.'), 'retry-after-ms: 50'),
  ),
  {
    name: 'status 429 with a long retry-after',
    provoke: (plan, call) =>
      withStatus(plan, 429, createError(call, 'rate_limit_error', 'Slow down.'), 'retry-after: 3600'),
    expected: always('second'),
  },
  status(499, 'second', 'client_closed_request'),
  ...[500, 501, 502, 503, 504, 507].map((number) => status(number, 'second')),
  once('status 500 once', (plan, call) => withStatus(plan, 500, createError(call, 'api_error', 'Oops.'))),
  status(529, 'second', 'overloaded_error'),
  page(502),
  ...[520, 521, 522, 523, 524, 525, 526, 530].map(page),
  {
    name: 'status 599 without a body',
    provoke: (plan) => withStatus(plan, 599, ''),
    expected: always('second'),
  },
];
