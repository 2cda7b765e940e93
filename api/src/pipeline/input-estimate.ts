import type { Buffer } from 'node:buffer';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { isForThread } from '../request-body/is-for-thread.ts';
import type { Translator } from './translation.ts';

interface InputSource {
  request: RelayRequest;
  body: Buffer;
  translator: Translator;
  /** The likely input, by body size. */
  inputTokens: number;
}

/** Input tokens for bills without a report: measured once, for a large body by its thread. */
export function createInputEstimate({ request, body, translator, inputTokens }: InputSource): () => number {
  let estimate: number | null = request.inputTokens ?? null;
  return () => {
    estimate ??= (isForThread(body) ? null : translator.sizeInputTokens()) ?? inputTokens;
    return estimate;
  };
}
