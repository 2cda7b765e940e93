import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';

interface Refusal {
  status: 403 | 413 | 429 | 503;
  code: TRPC_ERROR_CODE_KEY;
  message: string;
  reason: string | null;
}

/** An answer given before tRPC was reached, in the form that its client reads. */
export function trpcRefusal(refusal: Refusal): Response {
  const { status, code, message, reason } = refusal;
  const data = {
    code,
    httpStatus: status,
    path: null,
    reason,
    field: null,
    retryAfterSeconds: null,
    zodIssues: null,
  };
  return Response.json({ error: { message, code: -32_600, data } }, { status });
}
