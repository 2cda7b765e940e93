import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';

/** What one argon2id hash costs; the server's cost is the default. */
interface PasswordCost {
  memoryKib: number;
  passes: number;
}

// With one lane: https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
const OWASP_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };
// At most half of libuv's four threads, so that file and DNS operations continue during a burst of sign-ups.
const MAX_CONCURRENT = Math.min(2, availableParallelism());
const MAX_WAITING = 64;

/** Stored for users without a password; matches no password. */
export const NO_PASSWORD = 'none';

/** Thrown if the queue is so long that the wait would be unacceptable. */
export class PasswordHasherBusyError extends Error {
  override name = 'PasswordHasherBusyError';
}

export interface PasswordHasher {
  /**
   * @returns argon2id in PHC string format with a random salt
   * @throws PasswordHasherBusyError
   */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. Without a stored hash, it checks a dummy hash, so that the time
   * does not reveal whether the user exists.
   * @param storedHash null: no user has the email
   * @throws PasswordHasherBusyError
   */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/**
 * Hashes a few passwords at a time; others wait in a queue.
 * @param cost for tests that sign in many users
 */
export function createPasswordHasher(cost: PasswordCost = OWASP_COST): PasswordHasher {
  const options: Options = {
    memoryCost: cost.memoryKib,
    timeCost: cost.passes,
    parallelism: 1,
    outputLen: 32,
  };
  const inTurn = createTurns();
  // Dummy hash with the same parameters as real ones, of a random password.
  const decoy = hash(crypto.randomUUID(), options);
  return {
    hash: (password) => inTurn(() => hash(normalize(password), options)),
    async verify(storedHash, password) {
      const expected = isArgon2(storedHash) ? storedHash : await decoy;
      const matches = await inTurn(() => verify(expected, normalize(password)));
      return matches && isArgon2(storedHash);
    },
  };
}

/** Normalizes with NFKC, because keyboards produce different code points for the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** False if the user has no password. */
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
      // A finished task passes its slot directly to the next one.
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
