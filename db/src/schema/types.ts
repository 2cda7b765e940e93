import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Bytes, as a Buffer. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
});

/** A moment in time, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
