import type { Logger } from 'pino';
import type { LocalAnswer, LocalQuestion } from '../endpoints.ts';
import { setDialectHeaders } from '../errors/send-error.ts';
import { refuse, type RelayContext } from './relay.ts';
import { BROKEN_GATEWAY } from './upstream-failure.ts';

/** Computes the gateway's own response. @returns a function that sends it; never rejects */
export async function answerLocally(
  context: RelayContext & LocalQuestion & { log: Logger },
  answer: (question: LocalQuestion) => Promise<LocalAnswer>,
): Promise<() => void> {
  const { exchange, spec, settlement, log } = context;
  try {
    const answered = await answer(context);
    if (!answered.ok) return () => refuse(context, answered.error);
    const { body, headers } = answered.value;
    return () => {
      for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
      setDialectHeaders(exchange, spec.dialect);
      settlement.settle({ status: 200, errorCode: null, estimated: true }, () =>
        exchange.send(200, 'application/json', body),
      );
    };
  } catch (error) {
    log.error({ err: error, requestId: exchange.requestId }, 'a response of the gateway itself failed');
    return () => refuse(context, BROKEN_GATEWAY);
  }
}
