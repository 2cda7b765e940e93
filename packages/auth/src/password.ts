import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';

// argon2id with 19 MiB, two passes and one lane:
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
const ARGON2ID: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
// Half of libuv's four threads at most, so that files and names are still looked up while people sign up in a burst.
const MAX_CONCURRENT = Math.min(2, availableParallelism());
const MAX_WAITING = 64;

/** Stands where a person has no password: it matches none. */
export const NO_PASSWORD = 'none';

/** Thrown where so many passwords wait to be hashed that another one would only wait for longer than anybody does. */
export class PasswordHasherBusyError extends Error {
  override name = 'PasswordHasherBusyError';
}

export interface PasswordHasher {
  /**
   * @returns argon2id in PHC string format, with a salt of its own
   * @throws PasswordHasherBusyError
   */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. Where there is no hash it does the same work on one that matches nothing, so that the time
   * does not tell who exists.
   * @param storedHash null: nobody has that e-mail
   * @throws PasswordHasherBusyError
   */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/** Hashes passwords, a few at a time; the rest wait in line. */
export function createPasswordHasher(): PasswordHasher {
  const inTurn = createTurns();
  // Made by the same parameters as the real ones, from a password that nobody knows.
  const decoy = hash(crypto.randomUUID(), ARGON2ID);
  return {
    hash: (password) => inTurn(() => hash(normalize(password), ARGON2ID)),
    async verify(storedHash, password) {
      const expected = isArgon2(storedHash) ? storedHash : await decoy;
      const matches = await inTurn(() => verify(expected, normalize(password)));
      return matches && isArgon2(storedHash);
    },
  };
}

/** The same password typed on another keyboard may come as other code points: NFKC makes them one. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** False where the person has no password. */
export function hasPassword(user: { passwordHash: string }): boolean {
  return isArgon2(user.passwordHash);
}

function isArgon2(storedHash: string | null): storedHash is string {
  return storedHash !== null && storedHash.startsWith('$argon2id$');
}

function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= MAX_CONCURRENT) {
      if (waiting.length >= MAX_WAITING)
        throw new PasswordHasherBusyError('Too many passwords wait to be hashed');
      // Whoever ends hands over its place, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
