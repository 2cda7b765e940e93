import { deny, type Result } from '@tollgate/core/errors/errors';

export const FALLBACK_HEADER = 'x-tollgate-fallback';

/** More names than a model can have fallback models are accepted: one header may serve several models. */
const MAX_NAMES = 32;
const MAX_NAME_LENGTH = 200;

/** The fallback models that a caller allows; null: all of the model's. */
export type AllowedFallbacks = ReadonlySet<string> | null;

const NONE: Result<AllowedFallbacks> = { ok: true, value: new Set() };
const ALL: Result<AllowedFallbacks> = { ok: true, value: null };

/** Reads the header: `none`, or model names separated by commas. @returns `invalid_request` if it is neither */
export function readFallbackHeader(value: string | null): Result<AllowedFallbacks> {
  if (value === null) return ALL;
  const names = value.split(',', MAX_NAMES + 1).map((name) => name.trim());
  if (names.length === 1 && names[0] === 'none') return NONE;
  const isValid =
    names.length <= MAX_NAMES &&
    names.every((name) => name !== '' && name !== 'none' && name.length <= MAX_NAME_LENGTH);
  if (isValid) return { ok: true, value: new Set(names) };
  const message = `The header ${FALLBACK_HEADER} must be "none", or the names of at most ${MAX_NAMES} models, separated by commas.`;
  return deny('invalid_request', message, { param: FALLBACK_HEADER });
}
