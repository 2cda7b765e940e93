import { deny, type Result } from '@tollgate/core/errors/errors';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { Model } from '../../catalogue/catalogue.ts';
import type { Exchange } from '../../exchange.ts';

/** Whether a stream that breaks off is continued: as the request says, else as the model's policy says. */
const CONTINUE_HEADER = 'x-tollgate-continue';

interface Asked {
  request: Pick<RelayRequest, 'stream'>;
  model: Pick<Model, 'routing'>;
}

/** @returns an error if the header has another value than `on` and `off` */
export function wantsContinuation(
  exchange: Pick<Exchange, 'header'>,
  { request, model }: Asked,
): Result<boolean> {
  const asked = exchange.header(CONTINUE_HEADER);
  if (asked !== null && asked !== 'on' && asked !== 'off')
    return deny('invalid_request', `The header ${CONTINUE_HEADER} must be "on" or "off".`);
  return {
    ok: true,
    value: request.stream && (asked === null ? model.routing.continueStreams : asked === 'on'),
  };
}
