import type { GatewayError } from '@tollgate/core/errors';
import type { UpstreamFault } from '@tollgate/upstreams/transport/transport';

/** What a caller is told where the provider gave no answer, or no whole one. */
export function errorOfFault(fault: UpstreamFault): GatewayError {
  switch (fault.kind) {
    case 'connect':
      return {
        code: 'upstream_error',
        message: 'The provider of this model could not be reached. Try again.',
      };
    case 'timeout':
      return {
        code: 'upstream_timeout',
        message: 'The provider of this model took too long to answer. Try again.',
      };
    case 'cut':
      return {
        code: 'upstream_error',
        message: 'The provider of this model broke off its answer. Try again.',
      };
  }
}

export const UNREADABLE_ANSWER: GatewayError = {
  code: 'upstream_error',
  message: 'The provider of this model sent an answer that cannot be read. Try again.',
};

export const OVERSIZE_ANSWER: GatewayError = {
  code: 'upstream_error',
  message: 'The provider of this model sent an answer that is too large.',
};

/** The provider refuses the gateway's own credential: the caller can do nothing about it. */
export const MISCONFIGURED_PROVIDER: GatewayError = {
  code: 'upstream_misconfigured',
  message: 'The provider of this model does not accept the credential of this gateway. Ask whoever runs it.',
};
