import { foldName, foldNameLoosely, leaveOutDashes } from './fold-name.ts';
import { KNOWN_MEMBERS, type KnownMember } from './request-members.ts';

export const HASH_START = 0x811c9dc5 | 0;

const BY_FOLDED = new Map(KNOWN_MEMBERS.map((member) => [foldName(member.name), member]));
const BY_LOOSE = new Map(
  KNOWN_MEMBERS.filter(({ isOfBody }) => isOfBody).map((member) => [foldNameLoosely(member.name), member]),
);
const BY_HASH = new Map<number, KnownMember>();
for (const member of KNOWN_MEMBERS) {
  const hash = hashOfName(member.name);
  // A name that collides is found by its text.
  if (!BY_HASH.has(hash)) BY_HASH.set(hash, member);
}

/** One step of {@link hashOfName}, for a code unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** FNV-1a over the code units of a name. */
export function hashOfName(name: string): number {
  let hash = HASH_START;
  for (let at = 0; at < name.length; at += 1) hash = hashStep(hash, name.charCodeAt(at));
  return hash;
}

/** @returns the known member whose name may have this hash; its name must still be compared */
export function findByHash(hash: number): KnownMember | undefined {
  return BY_HASH.get(hash);
}

/**
 * Finds the known member that a case-insensitive reader takes a name for.
 * @param folded the name, as `foldName` returns it
 * @param isOfBody true: the name is of the body itself
 */
export function findKnownMember(folded: string, isOfBody: boolean): KnownMember | undefined {
  const found = BY_FOLDED.get(folded);
  return found ?? (isOfBody ? BY_LOOSE.get(leaveOutDashes(folded)) : undefined);
}
