import type { GatewayError } from '@tollgate/core/errors/errors';
import type { JsonObject } from './json/parse-object.ts';

/**
 * What an encoder makes of a canonical request. A field that the target cannot express is refused where leaving it out
 * would change what the answer means, and is named in `dropped`, in the caller's terms (`user`, `seed`), where it would not.
 */
export type Encoded = { ok: true; body: JsonObject; dropped: string[] } | { ok: false; error: GatewayError };
