import type { GatewayError } from '@tollgate/core/errors/errors';
import type { JsonObject } from './json/parse-object.ts';

/**
 * The result of encoding a canonical request. A field that the target cannot express is refused if leaving it out
 * would change the meaning of the answer, else it is named in `dropped`, in the caller's terms (`user`, `seed`).
 */
export type Encoded = { ok: true; body: JsonObject; dropped: string[] } | { ok: false; error: GatewayError };
