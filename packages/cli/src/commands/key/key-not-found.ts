import { Failure } from '../../failure.ts';

/** @param typed shown back only where it is an id: somebody may have pasted the key itself */
export function keyNotFound(typed: string): Failure {
  return typed.startsWith('key_')
    ? new Failure('key_not_found', `There is no key ${typed}`)
    : new Failure('key_not_found', 'KEY_ID begins with key_: `tollgate key list --account EMAIL` shows it');
}
