import { and, desc, eq, inArray, lt, ne, or } from 'drizzle-orm';
import { knownDevices } from '../../schema/known-devices.ts';
import type { Connection } from '../../transaction.ts';

export interface SeenDevice {
  userId: string;
  /** SHA-256 of what the browser's cookie holds. */
  device: Buffer;
  userAgent: string | null;
  address: string | null;
  at: Date;
}

/**
 * `known` it has signed this person in before, or another of the same make and network has, whose cookie is lost;
 * `first` this person has no known devices yet.
 */
export type DeviceNovelty = 'known' | 'first' | 'new';

/** A program that keeps no cookies is another device each time that it comes: those seen last are kept. */
const MAX_DEVICES = 100;

/** Remembers a browser that a person has just signed in with. @returns whether they had before */
export async function rememberDevice(tx: Connection, seen: SeenDevice): Promise<DeviceNovelty> {
  const { userId, device, userAgent, address, at } = seen;
  const known = await tx.drizzle
    .select()
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(desc(knownDevices.lastSeenAt));
  const now = { userAgent, address, lastSeenAt: at };
  await tx.drizzle
    .insert(knownDevices)
    .values({ userId, device, ...now, firstSeenAt: at })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.device], set: now });
  const tooMany = known.slice(MAX_DEVICES - 1).map((other) => other.device);
  if (tooMany.length > 0)
    await tx.drizzle
      .delete(knownDevices)
      .where(
        and(
          eq(knownDevices.userId, userId),
          inArray(knownDevices.device, tooMany),
          ne(knownDevices.device, device),
        ),
      );
  if (known.length === 0) return 'first';
  const isAlike = (other: (typeof known)[number]) =>
    userAgent !== null && address !== null && other.userAgent === userAgent && other.address === address;
  return known.some((other) => other.device.equals(device) || isAlike(other)) ? 'known' : 'new';
}

export async function forgetDevices(db: Connection, userId: string): Promise<void> {
  await db.drizzle.delete(knownDevices).where(eq(knownDevices.userId, userId));
}

export async function deleteOldDevices(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(knownDevices).where(lt(knownDevices.lastSeenAt, before));
}

/** How well a browser is known to a person's login: by its own cookie, only by its network, or not at all. */
export type Familiarity = 'device' | 'network' | 'none';

/**
 * Finds out whether a person has signed in before from a browser or from its network.
 * @param visit.device SHA-256 of the device cookie; null: the browser sent none
 * @param visit.address the network, as `address` is stored; null: unknown
 */
export async function findFamiliarity(
  db: Connection,
  visit: { userId: string; device: Buffer | null; address: string | null },
): Promise<Familiarity> {
  const { userId, device, address } = visit;
  const isDevice = device === null ? undefined : eq(knownDevices.device, device);
  const isNetwork = address === null ? undefined : eq(knownDevices.address, address);
  if (isDevice === undefined && isNetwork === undefined) return 'none';
  const rows = await db.drizzle
    .select({ device: knownDevices.device })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), or(isDevice, isNetwork)));
  if (rows.length === 0) return 'none';
  return device !== null && rows.some((row) => row.device.equals(device)) ? 'device' : 'network';
}
