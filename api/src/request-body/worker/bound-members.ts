import { deny, type Result } from '@tollgate/core/errors/errors';
import type { ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';

/** Checks what a thread gives back of a body besides its conversation: its transfer blocks the event loop. */
export function boundMembers(body: ClassifiedBody): Result<null> {
  const { maxBodyMembers, maxMemberValues, maxNameCharacters } = BODY_LIMITS;
  if (Object.keys(body.members).length > maxBodyMembers)
    return refuse(`The request body has more than ${maxBodyMembers} members besides its conversation.`);
  let values = 0;
  let nameCharacters = 0;
  const open: unknown[] = [body];
  while (open.length > 0) {
    values += 1;
    if (values > maxMemberValues)
      return refuse(`The request body holds more than ${maxMemberValues} values outside of its messages.`);
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
    if (Array.isArray(value)) continue;
    for (const name of Object.keys(value)) nameCharacters += name.length;
    if (nameCharacters > maxNameCharacters)
      return refuse(
        `The names of members outside of messages have more than ${maxNameCharacters} characters in total.`,
      );
  }
  return { ok: true, value: null };
}

function refuse(message: string): Result<null> {
  return deny('invalid_request', message);
}
