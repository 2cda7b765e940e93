import { and, eq, lt } from 'drizzle-orm';
import { knownDevices } from '../schema/known-devices.ts';
import type { Connection } from '../transaction.ts';

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
 * `first` nothing is known of this person's devices yet.
 */
export type DeviceNovelty = 'known' | 'first' | 'new';

/** Remembers a browser that a person has just signed in with. @returns whether they had before */
export async function rememberDevice(tx: Connection, seen: SeenDevice): Promise<DeviceNovelty> {
  const { userId, device, userAgent, address, at } = seen;
  const known = await tx.drizzle.select().from(knownDevices).where(eq(knownDevices.userId, userId));
  const isAlike = (other: (typeof known)[number]) =>
    userAgent !== null && address !== null && other.userAgent === userAgent && other.address === address;
  const same = known.find((other) => other.device.equals(device)) ?? known.find(isAlike);
  const now = { device, userAgent, address, lastSeenAt: at };
  if (same !== undefined) {
    // In the place of the lost one: a program that keeps no cookies is one device, however often it comes.
    await tx.drizzle
      .update(knownDevices)
      .set(now)
      .where(and(eq(knownDevices.userId, userId), eq(knownDevices.device, same.device)));
    return 'known';
  }
  await tx.drizzle
    .insert(knownDevices)
    .values({ userId, ...now, firstSeenAt: at })
    .onConflictDoNothing();
  return known.length === 0 ? 'first' : 'new';
}

export async function forgetDevices(db: Connection, userId: string): Promise<void> {
  await db.drizzle.delete(knownDevices).where(eq(knownDevices.userId, userId));
}

export async function deleteOldDevices(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(knownDevices).where(lt(knownDevices.lastSeenAt, before));
}
