import { eq, lt } from 'drizzle-orm';
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
  const before = await tx.drizzle
    .select({
      device: knownDevices.device,
      userAgent: knownDevices.userAgent,
      address: knownDevices.address,
    })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId));
  await tx.drizzle
    .insert(knownDevices)
    .values({ userId, device, userAgent, address, firstSeenAt: at, lastSeenAt: at })
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.device],
      set: { userAgent, address, lastSeenAt: at },
    });
  if (before.length === 0) return 'first';
  const isSame = (known: (typeof before)[number]) =>
    known.device.equals(device) ||
    (userAgent !== null && address !== null && known.userAgent === userAgent && known.address === address);
  return before.some(isSame) ? 'known' : 'new';
}

export async function forgetDevices(db: Connection, userId: string): Promise<void> {
  await db.drizzle.delete(knownDevices).where(eq(knownDevices.userId, userId));
}

export async function deleteOldDevices(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(knownDevices).where(lt(knownDevices.lastSeenAt, before));
}
