import type { Buffer } from 'node:buffer';
import type { ApiDeps } from '../deps.ts';
import type { DescribeInput, EndpointSpec } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { describeBody } from '../request-body/describe-body.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { describeInThread } from '../request-body/parse-in-thread.ts';

interface DescribedRequest {
  spec: Pick<EndpointSpec, 'endpoint'>;
  exchange: Pick<Exchange, 'isDisconnected'>;
  key: Pick<CachedKey, 'accountId'>;
  body: Buffer;
}

/** Finds what a token count needs of a request, in a thread if its body is large. */
export async function describeInput(
  deps: Pick<ApiDeps, 'bodyWorkers'>,
  { spec: { endpoint }, exchange, key, body }: DescribedRequest,
  model: string,
): ReturnType<DescribeInput> {
  if (endpoint === '/v1/embeddings') return null;
  if (!isForThread(body)) return describeBody(endpoint, body, model);
  const isWanted = () => !exchange.isDisconnected;
  return describeInThread(deps.bodyWorkers, { endpoint, model }, { body, owner: key.accountId, isWanted });
}
