import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Dialect } from '@tollgate/core/models/dialect';
import { PING_EVENT } from '@tollgate/dialects/anthropic-messages/write-event';
import { PING_LINE } from '@tollgate/dialects/sse/ping';
import { getErrorFormat } from '../errors/render-error.ts';
import { EVENT_STREAM_TYPE } from './content-types.ts';
import { setResponseHeaders, type AnsweredRequest } from './response-headers.ts';

/**
 * Ticks without content after which the stream starts with a ping: 10 to 15 seconds. Proxies close a silent connection after
 * 30 seconds or more, and an error before the start keeps its status, which SDKs retry.
 */
const MAX_SILENT_TICKS = 3;

const PINGS: Record<Dialect, string> = {
  'openai-chat': PING_LINE,
  'openai-responses': PING_LINE,
  'anthropic-messages': PING_EVENT,
};

/**
 * The start of the caller's stream. It may come before the response: pings keep the connection while a provider is silent, and
 * another route can still be tried, as nothing of a response was sent.
 */
export class CallerStream {
  /** The status and the headers were sent. */
  isOpen = false;
  #silentTicks = 0;

  open(request: AnsweredRequest, status = 200): void {
    if (this.isOpen) return;
    this.isOpen = true;
    setResponseHeaders(request);
    request.exchange.start(status, EVENT_STREAM_TYPE);
  }

  /**
   * Called every few seconds until the response begins.
   * @param hasResponded the provider has sent its headers
   */
  tick(context: AnsweredRequest, hasResponded: boolean): void {
    this.#silentTicks += 1;
    if (!this.isOpen && (!hasResponded || this.#silentTicks < MAX_SILENT_TICKS)) return;
    this.open(context);
    context.exchange.write(PINGS[context.spec.dialect]);
  }

  /** Ends the stream with an error. */
  fail({ exchange, spec }: Pick<AnsweredRequest, 'exchange' | 'spec'>, error: GatewayError): void {
    exchange.write(getErrorFormat(spec.dialect).event(error, exchange.requestId));
    exchange.end();
  }
}
