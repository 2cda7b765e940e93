import type { UpstreamFailure } from '../transport.ts';
import { ConnectionFailure } from './connection-failure.ts';

/** State of a call when undici reports an error. */
export interface FailureMoment {
  isReady: boolean;
  /** True once the response's headers have arrived. */
  hasStarted: boolean;
  isReused: boolean;
  hasByte: boolean;
}

/** The failure for an error of undici: https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md */
export function getUndiciFailure(error: Error, moment: FailureMoment): UpstreamFailure {
  if (error instanceof ConnectionFailure) return error.failure;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const detail = code === '' ? error.message : `${code}: ${error.message}`;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return { kind: 'cut', detail: 'the transport was closed' };
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return { kind: 'protocol', detail };
  if (!moment.isReady) return { kind: 'connect', detail };
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return { kind: 'timeout', detail };
  // Two lengths, for example; a body that was cut has valid headers.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !moment.hasStarted)
    return { kind: 'protocol', detail };
  if (isProtocolError(code, error)) return { kind: 'protocol', detail };
  if (isLostConnection(code, error))
    return { kind: moment.isReused && !moment.hasByte ? 'stale' : 'cut', detail };
  return { kind: 'cut', detail };
}

function isProtocolError(code: string, error: Error): boolean {
  if (error.name === 'HTTPParserError') return !isEarlyEnd(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return true;
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ');
  return 'http2ErrorCode' in error && error.http2ErrorCode === 1;
}

function isLostConnection(code: string, error: Error): boolean {
  if (code === 'UND_ERR_SOCKET' || isEarlyEnd(error)) return true;
  return 'syscall' in error || code === 'ECONNRESET' || code === 'EPIPE';
}

/** The parser reports a response that was cut as an invalid end of file. */
function isEarlyEnd(error: Error): boolean {
  return error.name === 'HTTPParserError' && /EOF/.test(error.message);
}
