import type { RequestDetail } from '../../../lib/trpc.ts';

interface EstimatedRequest extends Pick<RequestDetail, 'estimated' | 'recovered' | 'errorCode'> {
  attempts: readonly Pick<RequestDetail['attempts'][number], 'outcome'>[];
}

/** Says why the tokens of a request are an estimate; null: they are as the provider reported them. */
export function describeEstimate({
  estimated,
  recovered,
  errorCode,
  attempts,
}: EstimatedRequest): string | null {
  if (recovered) return 'The replica stopped during the request. The charge is estimated from the input.';
  if (!estimated) return null;
  if (errorCode === 'replica_lost')
    return 'The replica stopped during the request. The charge is estimated from the output until shortly before.';
  if (attempts.at(-1)?.outcome === 'continued')
    return 'Estimated: another attempt continued the response. You pay for the input once.';
  return 'Estimated: the provider reported no plausible usage. Text is counted; hidden reasoning is estimated from its duration.';
}
