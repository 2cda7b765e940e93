import { deny } from '@tollgate/core/errors';

/** The largest request body, in bytes: 32 MiB. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const BROKEN_BODY = 'The request body broke off before its end.';

export function tooLarge(limitBytes: number) {
  return deny('request_too_large', `The request body is larger than ${limitBytes / 1024 / 1024} MiB.`);
}
