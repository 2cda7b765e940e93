import { Failure } from '../../failure.ts';

/** @param typed repeated only if it is an ID: it may be the pasted secret itself */
export function keyNotFound(typed: string): Failure {
  return typed.startsWith('key_')
    ? new Failure('key_not_found', `Key ${typed} does not exist`)
    : new Failure(
        'key_not_found',
        'KEY_ID must start with key_. List keys with `tollgate key list --account EMAIL`.',
      );
}
